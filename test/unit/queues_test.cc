// The queues of the kernel below their writer: what is kept between files, what is registered, what the kernel does not
// take.
#include "real_file.h"
#include "replaced_calls.h"
#include "io/queue.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace overlap::test {
namespace {

constexpr std::size_t kPage = 4096;

std::string Disk() {
    const char *const folder = std::getenv("TMPDIR");
    return folder != nullptr ? folder : "/var/tmp";
}

// Pages, whose place stays where their content is replaced.
class Pages {
  public:
    Pages(std::size_t count, char filler) : bytes_(count * kPage), start_(Map(nullptr, 0)) { Fill(filler); }
    ~Pages() { munmap(start_, bytes_); }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;

    void Fill(char filler) { std::memset(start_, filler, bytes_); }
    void Replace(char filler) {
        Map(start_, MAP_FIXED);
        Fill(filler);
    }
    char *start() const { return start_; }
    MemoryRange range() const { return MemoryRange{start_, bytes_}; }

  private:
    char *Map(char *at, int flags) const {
        return static_cast<char *>(mmap(at, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
    }

    const std::size_t bytes_;
    char *const start_;
};

// The first byte of a page that a queue writes, direct where the file system has that.
char Written(Queue &queue, const RealFile &file, char *page, bool direct) {
    overlap_descriptors files{};
    file.storage.posix_descriptors(file.storage.self, &files);
    const std::vector<QueuedTransfer> writes = {
        {7, OVERLAP_WRITE, direct ? files.direct : files.ordinary, !direct, overlap_extent{0, page, kPage}}};
    const std::int64_t taken = queue.Submit(writes, 0);
    EXPECT_EQ(taken, 1);
    if (taken != 1) {
        close(files.direct);
        return '\0';
    }
    std::vector<QueuedAnswer> answers;
    while (answers.empty()) {
        queue.Reap(std::chrono::milliseconds(10), answers);
    }
    EXPECT_EQ(answers[0].tag, 7U);
    EXPECT_EQ(answers[0].result, static_cast<std::int64_t>(kPage));
    close(files.direct);
    return file.Content().at(0);
}

bool TakesDirect(const RealFile &file) {
    overlap_descriptors files{};
    file.storage.posix_descriptors(file.storage.self, &files);
    const bool takes = files.direct >= 0;
    close(files.direct);
    return takes;
}

class Libaio : public testing::Test {
  protected:
    void SetUp() override {
        if (!LibaioKind().built_in || LibaioKind().make() == nullptr) {
            GTEST_SKIP() << "no libaio here";
        }
    }
};

TEST_F(Libaio, TheContextOfAFileServesTheNext) {
    const int made = replaced_calls.contexts_made, destroyed = replaced_calls.contexts_destroyed;
    for (int file = 0; file < 20; ++file) {
        const auto first = LibaioKind().make();
        EXPECT_NE(first, nullptr);
    }
    EXPECT_EQ(replaced_calls.contexts_made, made);
    EXPECT_EQ(replaced_calls.contexts_destroyed, destroyed);
}

TEST_F(Libaio, FilesThatAreOpenTogetherHaveContextsOfTheirOwnAndFewAreKept) {
    RealFile one(Disk()), other(Disk());
    if (!TakesDirect(one)) {
        GTEST_SKIP() << Disk() << " takes no direct writes";
    }
    const int destroyed = replaced_calls.contexts_destroyed;
    const Pages a(1, 'a'), b(1, 'b');
    {
        const auto first = LibaioKind().make(), second = LibaioKind().make(), third = LibaioKind().make();
        EXPECT_EQ(Written(*second, other, b.start(), true), 'b');
        EXPECT_EQ(Written(*first, one, a.start(), true), 'a');
    }
    EXPECT_EQ(replaced_calls.contexts_destroyed, destroyed + 1);
}

TEST_F(Libaio, AChildThatIsForkedTakesNoContextOfItsParent) {
    RealFile file(Disk());
    if (!TakesDirect(file)) {
        GTEST_SKIP() << Disk() << " takes no direct writes";
    }
    const Pages page(1, 'c');
    auto open_in_parent = LibaioKind().make();
    const pid_t child = fork();
    if (child == 0) {
        open_in_parent.reset();
        const auto queue = LibaioKind().make();
        const bool writes = queue != nullptr && Written(*queue, file, page.start(), true) == 'c';
        _exit(writes ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_EQ(Written(*open_in_parent, file, page.start(), true), 'c');
}

class IoUring : public testing::Test {
  protected:
    void SetUp() override {
        if (!IoUringKind().built_in || IoUringKind().make() == nullptr) {
            GTEST_SKIP() << "no io_uring here";
        }
    }
};

// The kernel keeps the pages that it was given, which shows where writes come from.
TEST_F(IoUring, WritesFromRegisteredPagesUntilTheyAreForgotten) {
    RealFile file(Disk());
    if (!TakesDirect(file)) {
        GTEST_SKIP() << Disk() << " takes no direct writes";
    }
    Pages before(4, 'x'), pages(4, 'a'), after(4, 'z');
    MemoryRanges ranges = {before.range(), pages.range(), after.range()};
    std::sort(ranges.begin(), ranges.end(),
              [](const MemoryRange &one, const MemoryRange &other) { return one.start < other.start; });
    const auto queue = IoUringKind().make();
    if (!queue->Register(ranges)) {
        GTEST_SKIP() << "the kernel registers nothing here";
    }
    pages.Replace('b');
    EXPECT_EQ(Written(*queue, file, pages.start() + kPage, true), 'a');
    EXPECT_EQ(Written(*queue, file, pages.start() + kPage, false), 'b') << "a buffered write takes none";
    const int once = replaced_calls.registrations;
    EXPECT_TRUE(queue->Register({pages.range()}));
    EXPECT_EQ(replaced_calls.registrations, once) << "it is registered already";
    EXPECT_TRUE(queue->Register({}));
    EXPECT_EQ(Written(*queue, file, pages.start() + kPage, true), 'b');
    EXPECT_TRUE(queue->Register({pages.range()}));
    pages.Replace('c');
    EXPECT_EQ(Written(*queue, file, pages.start() + kPage, true), 'b');
    EXPECT_EQ(Written(*queue, file, before.start(), true), 'x') << "not registered any more";
}

TEST_F(IoUring, ARefusedRegistrationIsExplainedOnceAndNothingElse) {
    RealFile file(Disk());
    if (!TakesDirect(file)) {
        GTEST_SKIP() << Disk() << " takes no direct writes";
    }
    replaced_calls.refuse_registration = true;
    const auto writer = MakeIoEngine(OVERLAP_WRITER_IO_URING, file.ports());
    const Pages pages(8, 'd');
    writer->Prepare(1, 5000);
    for (int round = 0; round < 2; ++round) {
        writer->Use({pages.range()});
        ByteCount written = 0;
        writer->Start(0, OVERLAP_WRITE, {{0, pages.start(), 8 * kPage}});
        EXPECT_TRUE(writer->Wait(0, written).ok());
        EXPECT_EQ(written, static_cast<ByteCount>(8 * kPage));
    }
    replaced_calls.refuse_registration = false;
    EXPECT_EQ(file.Content(), std::string(8 * kPage, 'd'));
    EXPECT_TRUE(file.warnings.empty());
    ASSERT_EQ(file.lines.size(), 2U);
    EXPECT_NE(file.lines[0].find("RLIMIT_MEMLOCK"), std::string::npos);
    EXPECT_NE(file.lines[1].find("rank 0 writes past the page cache"), std::string::npos);
}

TEST_F(IoUring, WritesThatTheKernelDoesNotTakeAreWrittenOnceAllTheSame) {
    alarm(120); // a write that is counted twice or never would be waited for without end
    for (const int refused : {1, 2, 5}) {
        RealFile file(Disk());
        const auto writer = MakeIoEngine(OVERLAP_WRITER_IO_URING, file.ports());
        const Pages pages(16, 'e');
        writer->Prepare(2, 5000);
        for (int round = 0; round < 4; ++round) {
            replaced_calls.submits_to_refuse = refused;
            ByteCount written = 0;
            writer->Start(0, OVERLAP_WRITE, {{100, pages.start() + 100, 3 * kPage}, {5 * kPage, pages.start(), 3 * kPage}});
            writer->Start(1, OVERLAP_WRITE, {{8 * kPage, pages.start(), 8 * kPage}});
            EXPECT_TRUE(writer->Wait(1, written).ok());
            EXPECT_EQ(written, static_cast<ByteCount>(8 * kPage));
            EXPECT_TRUE(writer->Wait(0, written).ok());
            EXPECT_EQ(written, static_cast<ByteCount>(6 * kPage));
            EXPECT_TRUE(writer->Done(0) && writer->Done(1));
        }
        replaced_calls.submits_to_refuse = 0;
        const std::string content = file.Content();
        ASSERT_EQ(content.size(), 16 * kPage);
        EXPECT_EQ(content.substr(100, 3 * kPage), std::string(3 * kPage, 'e'));
        EXPECT_EQ(content.substr(5 * kPage), std::string(11 * kPage, 'e'));
    }
    alarm(0);
}

// The kernel answers ECANCELED where the user may have no more processes and threads.
TEST_F(IoUring, WritesThatNoWorkerCanBeHadForAreWrittenAllTheSame) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "a child of another user takes root";
    }
    RealFile file("/dev/shm");
    const Pages pages(16, 'f');
    const pid_t child = fork();
    if (child == 0) {
        constexpr uid_t kNobodyElse = 65432;
        const rlimit none = {1, 1};
        ByteCount written = 0;
        bool right = setresuid(kNobodyElse, kNobodyElse, kNobodyElse) == 0 && setrlimit(RLIMIT_NPROC, &none) == 0;
        const auto writer = MakeIoEngine(OVERLAP_WRITER_IO_URING, file.ports());
        writer->Prepare(1, 5000);
        writer->Start(0, OVERLAP_WRITE, {{0, pages.start(), 8 * kPage}, {8 * kPage, pages.start(), 8 * kPage}});
        right = writer->Wait(0, written).ok() && written == static_cast<ByteCount>(16 * kPage) && right;
        _exit(right ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_EQ(file.Content(), std::string(16 * kPage, 'f'));
}

} // namespace
} // namespace overlap::test
