#include "grader/proof/arena.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "datasets/file_error.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"

namespace attn::proof {
namespace {

namespace fs = std::filesystem;
using worker::FileDescriptor;

constexpr const char *kFolder = "02_self_attention", *kAttacked = "self_attention";
constexpr const char* kToken = "ATTN_TOKEN";

std::atomic<int> signals_taken = 0;

std::array<char, 64> secret_in_memory{};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void allow_all(const fs::path& path) {
    fs::permissions(path, fs::perms::all);
}

/// A socket of this machine alone; `port` 0 takes a free one, and says which.
FileDescriptor listening(int type, int& port) {
    FileDescriptor made(socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(static_cast<std::uint16_t>(port));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    if (bind(made.get(), reinterpret_cast<sockaddr*>(&here), size) != 0 ||
        getsockname(made.get(), reinterpret_cast<sockaddr*>(&here), &size) != 0)
        throw std::runtime_error("no address of this machine can be listened at");
    if (type == SOCK_STREAM) listen(made.get(), 64);
    port = ntohs(here.sin_port);
    return made;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

double points_of_the_attacked(const report::Report& report) {
    return part(report, kAttacked).points;
}

}  // namespace

AttackEnvironment::AttackEnvironment(const Installation& installation, double time_s)
    : installation_(installation),
      rubric_(submission::read_rubric(installation.assignments / kFolder)),
      mark_("mark" + std::to_string(getpid())),
      secret_("secret" + std::to_string(getpid())),
      key_(0x41740000 + getpid() % 0xffff),
      place_(folder_ / "place"),
      temporary_(folder_ / "temporary") {
    rubric_.limits.time_s = time_s;
    allow_all(folder_.path());
    for (const fs::path& folder :
         {place_, place_ / "home", place_ / "other", temporary_, folder_ / "submissions"}) {
        fs::create_directory(folder);
        allow_all(folder);
    }
    folder_.write("place/home/token", secret_ + "\n");
    folder_.write(
        "place/other/self_attention.cpp",
        "// " + secret_ + "\n" + data::read_file(installation.proof_of("self_attention") / "solution.cpp"));
    if (const char* before = std::getenv("TMPDIR")) temporary_before_ = before;
    setenv("TMPDIR", temporary_.c_str(), 1);
    setenv(kToken, secret_.c_str(), 1);
    secret_.copy(secret_in_memory.data(), secret_in_memory.size() - 1);
    std::signal(SIGUSR1, [](int) { ++signals_taken; });

    // Inherited by every child that does not close it; its number is none that a worker's own would take.
    constexpr int kHigh = 200;
    const FileDescriptor low(open((place_ / "open_file").c_str(), O_RDWR | O_CREAT, S_IRUSR | S_IWUSR));
    open_file_ = FileDescriptor(fcntl(low.get(), F_DUPFD, kHigh));
    int port = 0;
    door_ = listening(SOCK_STREAM, port);
    letter_box_ = listening(SOCK_DGRAM, port);
    places_ = {{"MARK", mark_},
               {"FOLDER", place_.string()},
               {"PORT", std::to_string(port)},
               {"KEY", std::to_string(key_)},
               {"ADDRESS", std::to_string(reinterpret_cast<std::uintptr_t>(secret_in_memory.data()))},
               {"PARENT", std::to_string(getpid())},
               {"STAND_INS", installation.stand_ins.string()},
               {"SOURCES", installation.sources.string()}};
    set_out();
}

AttackEnvironment::~AttackEnvironment() {
    std::signal(SIGUSR1, SIG_DFL);
    unsetenv(kToken);
    if (temporary_before_.empty())
        unsetenv("TMPDIR");
    else
        setenv("TMPDIR", temporary_before_.c_str(), 1);
}

/// As it was in the beginning.
void AttackEnvironment::set_out() const {
    folder_.write("place/program", "honest");
    allow_all(place_ / "program");
    if (ftruncate(open_file_.get(), 0) != 0) throw std::runtime_error("cannot empty the open file");
    signals_taken = 0;
    FileDescriptor caller;
    do {
        caller = FileDescriptor(accept4(door_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    } while (caller.get() >= 0);
    std::array<char, 64> letter{};
    while (recv(letter_box_.get(), letter.data(), letter.size(), 0) >= 0) {
    }
}

/// Looks at everything but what was left behind.
void AttackEnvironment::look_around(Trial& trial) const {
    const auto seen = [&trial](const char* sign, const std::string& what) {
        trial.signs.insert(sign);
        trial.evidence.push_back(std::string(sign) + " " + what);
    };
    if (lseek(open_file_.get(), 0, SEEK_END) > 0) seen("written", "a file that the grader has open");
    if (signals_taken > 0) seen("signalled", "SIGUSR1");
    const FileDescriptor caller(accept4(door_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<char, 64> letter{};
    if (caller.get() >= 0) seen("connected", "by TCP");
    if (recv(letter_box_.get(), letter.data(), letter.size(), 0) >= 0) seen("connected", "by UDP");
    for (const report::SourceFile& source : trial.report.assignments.at(0).sources)
        if (contains(source.messages, secret_)) seen("printed", source.messages);
    for (const report::Part& part : trial.report.assignments.at(0).parts)
        for (const report::Check& check : part.checks)
            for (const std::string& text : {check.printed, check.message})
                if (contains(text, secret_) || contains(text, mark_)) seen("printed", text);
}

AttackEnvironment::Built AttackEnvironment::build(const std::string& name, const std::string& text,
                                                  const std::string& link, const worker::Layers& layers) {
    const fs::path folder = folder_ / "submissions" / name;
    fs::create_directories(folder);
    const auto file = folder / rubric_.sources.front();
    fs::remove(file);
    if (link.empty())
        folder_.write(fs::relative(file, folder_.path()), filled(text, places_));
    else
        fs::create_symlink(filled(link, places_), file);
    // Most of the time goes into compiling, and no attack needs a fast one.
    return std::make_shared<submission::Build>(
        submission::build(folder, rubric_, installation_, {{"-O0"}, {}, layers}));
}

report::Report AttackEnvironment::grade(const Built& build, const worker::Layers& layers,
                                        std::uint64_t seed) {
    GradeOptions options;
    options.submission = folder_.path();
    options.assignment = rubric_.number;
    options.seed = seed;
    options.installation = installation_;
    options.extra.layers = layers;
    options.speed = false;
    submission::Builds builds(folder_.path(), {rubric_}, installation_, options.extra);
    builds.adopt(rubric_.number, build);
    return attn::grade(options, builds);
}

report::Report AttackEnvironment::grade(const std::string& name, const std::string& text) {
    Built& built = built_[name];
    if (!built) built = build(name, text, "", {});
    return grade(built, {}, kPublicSeed);
}

Trial AttackEnvironment::let_loose(const Attack& attack, const worker::Layers& layers, std::uint64_t seed) {
    Trial trial;
    const auto take = [&trial](const std::vector<Leftovers::Found>& all, const fs::path& but) {
        for (const auto& [sign, what] : all) {
            if (!but.empty() && what.starts_with(but.string())) continue;
            trial.signs.insert(sign);
            trial.evidence.push_back(sign + " " + what);
        }
    };
    auto start = std::chrono::steady_clock::now();
    // What must not compile is compiled anew; the rest with all layers, whatever is taken away later.
    Built fresh;
    Built& kept = attack.outcome == Outcome::not_compiled ? fresh : built_[attack.name];
    if (!kept) {
        const Leftovers before(mark_, key_, {place_, temporary_});
        kept = build(attack.name, attack.text, attack.link,
                     attack.outcome == Outcome::not_compiled ? layers : worker::Layers());
        trial.compile_s = seconds_since(start);
        take(before.look(), kept->folder.path());
        Leftovers::end_processes();
    }
    const Leftovers before(mark_, key_, {place_, temporary_});
    start = std::chrono::steady_clock::now();
    trial.report = grade(kept, layers, seed);
    trial.seconds = seconds_since(start);
    look_around(trial);
    take(before.look(), {});
    before.remove();
    set_out();
    if (points_of_the_attacked(trial.report) > attack.points + 1e-9) {
        trial.signs.insert("points");
        trial.evidence.push_back("points " + std::to_string(points_of_the_attacked(trial.report)));
    }
    return trial;
}

}  // namespace attn::proof
