// Where hints can be given, and what a collective write then heard of them, as the info of the file tells.
//   hints FOLDER VERSION
// VERSION is Open MPI's major version: what OMPIO hands on differs.
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

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{0, PathOf(argv[1], "hints"), std::atoi(argv[2])};
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
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
    // 4.1 forgets a key that was not there when the file was opened and that nobody there knows.
    const char *const later = world.version >= 5 ? "sieve" : "auto";
    results.Check("romio_ds_write after a write, with a view after it",
                  File(world, kNothing).Write().SetInfo(romio).SetView(kNothing).Write().Shows("holes", later));
    results.Check("romio_ds_write below the component's own key",
                  File(world, list).Write().SetInfo(romio).SetView(kNothing).Write().Shows("holes", "list"));
    results.Check("romio_cb_write=disable",
                  File(world, {"romio_cb_write", "disable"}).Write().Shows("writes", "independent"));
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
