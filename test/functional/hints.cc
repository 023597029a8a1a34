// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where hints can be given, and what a collective write then heard of them, as the info of the file tells, or the report on
// it.
//   hints FOLDER VERSION
// VERSION is Open MPI's major version: what OMPIO hands on differs.
#include "harness.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <unistd.h>

namespace {

struct Given {
    const char *key, *value;
};

using Hints = std::vector<Given>;

struct World {
    int rank, size;
    std::string path;
    int version;
};

class Info {
  public:
    Info(Given given, const Hints &more) {
        MPI_Info_create(&info_);
        Set(given);
        for (const Given &another : more) {
            Set(another);
        }
    }
    Info(const Info &) = delete;
    Info &operator=(const Info &) = delete;
    ~Info() { MPI_Info_free(&info_); }
    MPI_Info get() const { return info_; }

  private:
    void Set(Given given) {
        if (given.key != nullptr) {
            MPI_Info_set(info_, given.key, given.value);
        }
    }

    MPI_Info info_ = MPI_INFO_NULL;
};

constexpr Given kNothing = {nullptr, nullptr};

class File {
  public:
    File(const World &world, Given given, const Hints &more = {}) : rank_(world.rank) {
        const Info info(given, more);
        MPI_File_open(MPI_COMM_WORLD, world.path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info.get(), &file_);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() { MPI_File_close(&file_); }

    File &SetView(Given given, const Hints &more = {}) {
        const Info info(given, more);
        MPI_File_set_view(file_, 0, MPI_BYTE, MPI_BYTE, "native", info.get());
        return *this;
    }
    File &SetInfo(Given given, const Hints &more = {}) {
        const Info info(given, more);
        MPI_File_set_info(file_, info.get());
        return *this;
    }
    File &Write(int bytes = 1) {
        const std::vector<char> data(static_cast<std::size_t>(bytes), 'x');
        MPI_File_write_at_all(file_, MPI_Offset{rank_} * bytes, data.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
        return *this;
    }

    /// What is wrong with what the file's info says of a parameter.
    std::string Shows(const char *name, const std::string &expected) const {
        const std::string key = std::string("fcoll_overlap_") + name;
        char value[MPI_MAX_INFO_VAL + 1] = "";
        int found = 0;
        MPI_Info info;
        MPI_File_get_info(file_, &info);
        MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value, &found);
        MPI_Info_free(&info);
        return found != 0 && value == expected ? std::string() : key + " is \"" + value + "\" and not \"" + expected + "\"";
    }

    /// The same of any key, where "" stands for none.
    std::string Says(const char *key, const std::string &expected) const {
        char value[MPI_MAX_INFO_VAL + 1] = "";
        int found = 0;
        MPI_Info info;
        MPI_File_get_info(file_, &info);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        MPI_Info_free(&info);
        return value == expected ? std::string() : std::string(key) + " is \"" + value + "\" and not \"" + expected + "\"";
    }

    /// The same where it is to say nothing.
    std::string Hides(const char *name) const {
        const std::string key = std::string("fcoll_overlap_") + name;
        char value[MPI_MAX_INFO_VAL + 1] = "";
        int found = 0;
        MPI_Info info;
        MPI_File_get_info(file_, &info);
        MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value, &found);
        MPI_Info_free(&info);
        return found == 0 ? std::string() : key + " is in the info, with \"" + value + '"';
    }

    /// What of the file's info no other info takes; HDF5 copies all of it into one of its own.
    std::string Copied() const {
        std::string wrong;
        int keys = 0;
        MPI_Info info, copy;
        MPI_File_get_info(file_, &info);
        MPI_Info_create(&copy);
        MPI_Info_get_nkeys(info, &keys);
        for (int i = 0; i < keys; ++i) {
            char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1] = "";
            int found = 0;
            MPI_Info_get_nthkey(info, i, key);
            MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
            if (MPI_Info_set(copy, key, value) != MPI_SUCCESS) {
                wrong += std::string(wrong.empty() ? "" : ", ") + key + " is \"" + value + '"';
            }
        }
        MPI_Info_free(&copy);
        MPI_Info_free(&info);
        return wrong;
    }

  private:
    int rank_;
    MPI_File file_ = MPI_FILE_NULL;
};

/// Hints that the info does not show as settings: what the report says of the last write has one pattern or the other.
struct Asking {
    const char *name;
    Hints hints;
    const char *heard, *unheard;
    Hints at_open; // without which they mean nothing
};

/// Where reports go. Only an MCA parameter names a file.
std::string ReportOf(const std::string &path) { return path + ".report"; }

// Of a rank: enough for three domains.
constexpr int kBytes = 1 << 20;

const std::vector<Asking> &Askings() {
    static const Given three = {"cb_nodes", "3"}, together = {"fcoll_overlap_writes", "collective"};
    static const Given dealt = {"fcoll_overlap_partition", "static"};
    static const std::vector<Asking> all = {
        {"cb_config_list", {{"cb_config_list", "rank:0"}}, " of 1 aggregators", " of 3 aggregators", {three, together}},
        {"striping_unit", {{"striping_unit", "5000"}}, "stripes of 8192 bytes", "stripes of [0-9]{5,} bytes", {dealt}},
        {"striping_factor",
         {{"striping_unit", "8192"}, {"striping_factor", "6"}},
         "stripes of 8192 bytes, each on at most [1-6] of 6 storage targets",
         "stripes of [0-9]{5,} bytes[^,]",
         {dealt}},
        {"cb_nodes", {{"cb_nodes", "2"}}, " of 2 aggregators", "without aggregators", {}},
        {"cb_buffer_size", {{"cb_buffer_size", "65536"}}, "cycles of at most [0-9]{5} bytes", "without aggregators", {}},
    };
    return all;
}

/// Files that are given what `asking` says in each place.
class Places {
  public:
    Places(const World &world, const Asking &asking, Results &results)
        : world_(world), asking_(asking), results_(results), report_(ReportOf(world.path)) {}

    void TryAll() const {
        // 5.0 keeps cb_nodes alone of what comes with a view.
        const bool of_view = world_.version >= 6 || (world_.version == 5 && std::string(asking_.name) == "cb_nodes");
        Try("nowhere", false, [&](const Hints &, const Hints &open) { File(world_, kNothing, open).Write(kBytes); });
        Try("at open", true, [&](const Hints &hints, const Hints &open) {
            Hints all = open;
            all.insert(all.end(), hints.begin(), hints.end());
            File(world_, kNothing, all).Write(kBytes);
        });
        Try("to set_info before the first write", true, [&](const Hints &hints, const Hints &open) {
            File(world_, kNothing, open).SetInfo(kNothing, hints).Write(kBytes);
        });
        Try("to set_info before a view", true, [&](const Hints &hints, const Hints &open) {
            File(world_, kNothing, open).SetInfo(kNothing, hints).SetView(kNothing).Write(kBytes);
        });
        Try("to set_info after a write", false, [&](const Hints &hints, const Hints &open) {
            File(world_, kNothing, open).Write(kBytes).SetInfo(kNothing, hints).Write(kBytes);
        });
        Try("to set_info after a write, with a view after it", true, [&](const Hints &hints, const Hints &open) {
            File(world_, kNothing, open).Write(kBytes).SetInfo(kNothing, hints).SetView(kNothing).Write(kBytes);
        });
        Try("to set_view", of_view, [&](const Hints &hints, const Hints &open) {
            File(world_, kNothing, open).SetView(kNothing, hints).Write(kBytes);
        });
    }

  private:
    template <typename Writes> void Try(const char *place, bool heard, const Writes &writes) const {
        Hints open = asking_.at_open;
        open.push_back({"fcoll_overlap_report", "json"});
        writes(asking_.hints, open);
        results_.Check(std::string(asking_.name) + " given " + place + (heard ? " is heard" : " is not heard"),
                       world_.rank == 0 ? Lacks(heard ? asking_.heard : asking_.unheard) : std::string());
    }

    /// What is wrong with the report on the last file.
    std::string Lacks(const char *pattern) const {
        std::ifstream file(report_);
        const std::string report((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        unlink(report_.c_str()); // it would be added to
        std::smatch chosen;      // for writes, which come first
        std::regex_search(report, chosen, std::regex("\"chosen\":\"([^\"]*)"));
        const std::string text = chosen.size() > 1 ? chosen[1].str() : "no report: " + report;
        return std::regex_search(text, std::regex(pattern)) ? std::string()
                                                            : std::string("\"") + pattern + "\" is not in: " + text;
    }

    const World &world_;
    const Asking &asking_;
    Results &results_;
    std::string report_;
};

/// Hints that name a file are ignored, and the info shows none of them.
void NameFiles(const World &world, Results &results) {
    const std::string named = world.path + ".named";
    for (const char *name : {"trace", "report_file", "rules", "topology", "placement"}) {
        const std::string key = std::string("fcoll_overlap_") + name;
        const Given given = {key.c_str(), named.c_str()}, report = {"fcoll_overlap_report", "off"};
        const bool is_placement = key == "fcoll_overlap_placement";
        const auto ignored = [&](const File &file) { return is_placement ? file.Shows(name, "spread") : file.Hides(name); };
        results.Check("a hint may not name a file: " + key, ignored(File(world, given, {report})));
        results.Check("nor after a write", ignored(File(world, given).Write()));
        results.Check("nor to set_info", ignored(File(world, kNothing).SetInfo(given).Write()));
        results.Check("nor with a view", ignored(File(world, kNothing).Write().SetView(given).Write()));
        MPI_Barrier(MPI_COMM_WORLD);
        results.Check("and there is no such file", access(named.c_str(), F_OK) == 0 ? named : std::string());
    }
    const Given lap = {"fcoll_overlap_placement", "lap"};
    results.Check("a placement that is a name is a hint", File(world, lap).Write().Shows("placement", "lap"));
}

/// Sizes have units, and what a parameter does not know is ignored.
void SayValues(const World &world, Results &results) {
    const auto shows = [&](const char *name, const char *value, const char *expected) {
        const std::string key = std::string("fcoll_overlap_") + name;
        results.Check(key + "=" + value, File(world, {key.c_str(), value}).Write().Shows(name, expected));
    };
    shows("eager_bytes", "64k", "65536");
    shows("eager_bytes", "3M", "3145728");
    shows("eager_bytes", "1g", "1073741824");
    for (const char *wrong : {"2g", "-1", "1 k", "4kb", "k", "0x10", "99999999999999999999", "18446744073709551617"}) {
        shows("eager_bytes", wrong, "67108864");
    }
    shows("slots", "16", "16");
    for (const char *wrong : {"17", "1", "+4", "4k", "4.0", "-2", "auto"}) {
        shows("slots", wrong, "0");
    }
    shows("algorithm", "DataFlow", "dataflow");
    shows("algorithm", "2", "write");
    for (const char *wrong : {"7", "-1", "writ", "99999999999999999999"}) {
        shows("algorithm", wrong, "auto");
    }
}

} // namespace

int main(int argc, char **argv) {
    setenv("OMPI_MCA_fcoll_overlap_report_file", ReportOf(PathOf(argv[1], "hints")).c_str(), 1);
    MPI_Init(&argc, &argv);
    World world{0, 1, PathOf(argv[1], "hints"), std::atoi(argv[2])};
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const Given list = {"fcoll_overlap_holes", "list"}, sieve = {"fcoll_overlap_holes", "sieve"};
    const Given romio = {"romio_ds_write", "enable"};
    Results results;
    results.Check("the info shows parameters from open on", File(world, kNothing).Shows("holes", "auto"));
    results.Check("it can be copied", File(world, kNothing).Copied());
    results.Check("and what the user gave", File(world, list).Shows("holes", "list"));
    const Given servers = {"fcoll_overlap_storage_nodes", "oss[1-4]"};
    results.Check("which can be copied after a write, too", File(world, servers).Write().Copied());
    results.Check("a text that the user gave is in it", File(world, servers).Write().Shows("storage_nodes", "oss[1-4]"));
    results.Check("given at open", File(world, list).Write().Shows("holes", "list"));
    results.Check("given at open, after two views",
                  File(world, list).SetView(kNothing).Write().SetView(kNothing).Write().Shows("holes", "list"));
    results.Check("given to set_info before the first write, without a view",
                  File(world, kNothing).SetInfo(list).Write().Shows("holes", "list"));
    results.Check("given to set_info before a view",
                  File(world, kNothing).SetInfo(list).SetView(kNothing).Write().Shows("holes", "list"));
    results.Check("given to set_info after a write, with a view after it",
                  File(world, kNothing).Write().SetInfo(list).SetView(kNothing).Write().Shows("holes", "list"));
    results.Check("another one later",
                  File(world, list).Write().SetInfo(sieve).SetView(kNothing).Write().Shows("holes", "sieve"));
    results.Check("given to set_view",
                  File(world, kNothing).SetView(list).Write().Shows("holes", world.version >= 6 ? "list" : "auto"));
    results.Check("romio_ds_write at open", File(world, romio).Write().Shows("holes", "sieve"));
    const Given romio_off = {"romio_ds_write", "disable"};
    results.Check("romio_ds_write to set_info before the first write",
                  File(world, kNothing).SetInfo(romio).Write().Shows("holes", "sieve"));
    results.Check("romio_ds_write after a write, with a view after it",
                  File(world, kNothing).Write().SetInfo(romio).SetView(kNothing).Write().Shows("holes", "sieve"));
    results.Check("romio_ds_write at open and another later",
                  File(world, romio).Write().SetInfo(romio_off).SetView(kNothing).Write().Shows("holes", "list"));
    results.Check("romio_ds_write to set_view",
                  File(world, kNothing).SetView(romio).Write().Shows("holes", world.version >= 6 ? "sieve" : "auto"));
    // What 4.1 is told of so long a key later is lost.
    const Given two = {"fcoll_overlap_domains_per_rank", "2"}, three = {"fcoll_overlap_domains_per_rank", "3"};
    const bool hears_long = world.version >= 5;
    results.Check("a long key at open", File(world, two).SetView(kNothing).Write().Shows("domains_per_rank", "2"));
    results.Check("a long key to set_info before the first write",
                  File(world, kNothing).SetInfo(two).Write().Shows("domains_per_rank", hears_long ? "2" : "1"));
    results.Check(
        "a long key later, what was given at open before it",
        File(world, two).Write().SetInfo(three).SetView(kNothing).Write().Shows("domains_per_rank", hears_long ? "3" : "2"));
    results.Check("a long key to set_view",
                  File(world, kNothing).SetView(two).Write().Shows("domains_per_rank", world.version >= 6 ? "2" : "1"));
    results.Check("romio_ds_write below the component's own key",
                  File(world, list).Write().SetInfo(romio).SetView(kNothing).Write().Shows("holes", "list"));
    const Given of_rank = {"fcoll_overlap_writes", world.rank == 0 ? "collective" : "independent"};
    results.Check("hints that differ between ranks: each shows its own",
                  File(world, of_rank).Write().Shows("writes", of_rank.value));
    results.Check("and where they come later",
                  File(world, kNothing).Write().SetInfo(of_rank).SetView(kNothing).Write().Shows("writes", of_rank.value));
    results.Check("those of rank 0 alone", File(world, kNothing)
                                               .Write()
                                               .SetInfo(world.rank == 0 ? of_rank : kNothing)
                                               .SetView(kNothing)
                                               .Write()
                                               .Shows("writes", world.rank == 0 ? of_rank.value : "auto"));
    results.Check("romio_cb_write=disable",
                  File(world, {"romio_cb_write", "disable"}).Write().Shows("writes", "independent"));
    results.Check("romio_cb_read=disable", File(world, {"romio_cb_read", "disable"}).Write().Shows("reads", "independent"));
    results.Check("romio_cb_write=disable to set_info",
                  File(world, kNothing).SetInfo({"romio_cb_write", "disable"}).Write().Shows("writes", "independent"));
    results.Check("collective_buffering=false to set_info", File(world, kNothing)
                                                                .SetInfo({"collective_buffering", "false"})
                                                                .SetView(kNothing)
                                                                .Write()
                                                                .Shows("writes", "independent"));
    // 5.0 keeps it and cb_nodes of what comes with a view.
    const char *const of_view = world.version >= 5 ? "independent" : "auto";
    results.Check("collective_buffering=false to set_view",
                  File(world, kNothing).SetView({"collective_buffering", "false"}).Write().Shows("writes", of_view));
    for (const char *name : {"reads", "writes"}) {
        results.Check(std::string("collective_buffering=false, ") + name,
                      File(world, {"collective_buffering", "false"}).Write().Shows(name, "independent"));
    }
    results.Check("a size of 0", File(world, {"cb_buffer_size", "0"}).Write().Shows("holes", "auto"));
    for (const Given &wrong : Hints{{"cb_nodes", "lots"},
                                    {"cb_buffer_size", "16m"},
                                    {"romio_cb_write", "maybe"},
                                    {"fcoll_overlap_algoritm", "comm"}}) {
        results.Check(std::string("the info does not show the wrong hint ") + wrong.key,
                      File(world, wrong).Write().Says(wrong.key, ""));
        results.Check("nor where set_info gave it", File(world, kNothing).SetInfo(wrong).Write().Says(wrong.key, ""));
    }
    results.Check("what may be another library's stays",
                  File(world, {"algorithm", "comm"}).Write().Says("algorithm", "comm"));
    results.Check("of too many aggregators it shows those that there can be",
                  File(world, {"cb_nodes", "999"}).Write().Says("cb_nodes", std::to_string(world.size)));
    results.Check("a size is shown", File(world, {"cb_buffer_size", "65536"}).Write().Says("cb_buffer_size", "65536"));
    NameFiles(world, results);
    SayValues(world, results);
    // OMPIO opens files of its own for that, with the info that stands for none: what was put there would be everybody's
    // hint.
    File(world, {"OMPIO_SHAREDFP_RELAXED_ORDERING", "true"}).Write();
    results.Check("a hint is not outranked by what another file left behind",
                  File(world, romio).SetView(kNothing).Write().Shows("holes", "sieve"));
    // Fewer cannot aggregate by threes.
    for (const Asking &asking : Askings()) {
        if (world.size >= 3) {
            Places(world, asking, results).TryAll();
        }
    }
    if (world.rank == 0) {
        unlink(world.path.c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
