// Where hints can be given, and what a collective write then heard of them, as the info of the file tells.
//   hints FOLDER VERSION [open|set_info|set_view KEY=VALUE]
// VERSION is Open MPI's major version: what OMPIO hands on differs. With a hint there is one file, which is given it there,
// for who looks at what the component says.
#include "harness.h"

#include <cstdlib>
#include <unistd.h>

namespace {

struct Given {
    const char *key, *value;
};

struct World {
    int rank;
    std::string path;
    int version;
};

class Info {
  public:
    explicit Info(Given given) {
        MPI_Info_create(&info_);
        if (given.key != nullptr) {
            MPI_Info_set(info_, given.key, given.value);
        }
    }
    Info(const Info &) = delete;
    Info &operator=(const Info &) = delete;
    ~Info() { MPI_Info_free(&info_); }
    MPI_Info get() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

constexpr Given kNothing = {nullptr, nullptr};

class File {
  public:
    File(const World &world, Given given) : rank_(world.rank) {
        const Info info(given);
        MPI_File_open(MPI_COMM_WORLD, world.path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info.get(), &file_);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() { MPI_File_close(&file_); }

    File &SetView(Given given) {
        const Info info(given);
        MPI_File_set_view(file_, 0, MPI_BYTE, MPI_BYTE, "native", info.get());
        return *this;
    }
    File &SetInfo(Given given) {
        const Info info(given);
        MPI_File_set_info(file_, info.get());
        return *this;
    }
    File &Write() {
        MPI_File_write_at_all(file_, rank_, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
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

  private:
    int rank_;
    MPI_File file_ = MPI_FILE_NULL;
};

void WriteOne(const World &world, const std::string &to, const std::string &hint) {
    const std::string key = hint.substr(0, hint.find('='));
    const Given given = {key.c_str(), hint.c_str() + key.size() + 1};
    File file(world, to == "open" ? given : kNothing);
    if (to == "set_info") {
        file.SetInfo(given);
    }
    file.SetView(to == "set_view" ? given : kNothing).Write();
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{0, PathOf(argv[1], "hints"), std::atoi(argv[2])};
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    if (argc > 4) {
        WriteOne(world, argv[3], argv[4]);
        MPI_Finalize();
        return 0;
    }
    const Given list = {"fcoll_overlap_holes", "list"}, sieve = {"fcoll_overlap_holes", "sieve"};
    const Given romio = {"romio_ds_write", "enable"};
    Results results;
    results.Check("the info shows parameters from open on", File(world, kNothing).Shows("holes", "auto"));
    results.Check("and what the user gave", File(world, list).Shows("holes", "list"));
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
    // OMPIO opens files of its own for that, with the info that stands for none: what was put there would be everybody's
    // hint.
    File(world, {"OMPIO_SHAREDFP_RELAXED_ORDERING", "true"}).Write();
    results.Check("a hint is not outranked by what another file left behind",
                  File(world, romio).SetView(kNothing).Write().Shows("holes", "sieve"));
    if (world.rank == 0) {
        unlink(world.path.c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
