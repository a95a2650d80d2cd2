#include "grader/proof/attack_environment.h"

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

#include "datasets/files/file_error.h"
#include "grader/compile/stand_ins.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"

namespace attn::proof {
namespace {

namespace fs = std::filesystem;

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

/// A socket on the loopback address. `port` 0 takes a free port and is set to it.
FileDescriptor listening(int type, int& port) {
    FileDescriptor descriptor(socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(static_cast<std::uint16_t>(port));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    if (bind(descriptor.get(), reinterpret_cast<sockaddr*>(&here), size) != 0 ||
        getsockname(descriptor.get(), reinterpret_cast<sockaddr*>(&here), &size) != 0)
        throw std::runtime_error("no socket can be bound to the loopback address");
    if (type == SOCK_STREAM) listen(descriptor.get(), 64);
    port = ntohs(here.sin_port);
    return descriptor;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

double points_of_attacked_function(const report::Report& report) {
    return part(report, kAttacked).points;
}

}  // namespace

AttackEnvironment::AttackEnvironment(const Installation& installation, double time_s)
    : installation_(installation),
      rubric_(rubric::read_rubric(installation.assignments / kFolder)),
      mark_("mark" + std::to_string(getpid())),
      secret_("secret" + std::to_string(getpid())),
      key_(0x41740000 + getpid() % 0xffff),
      target_folder_(folder_ / "place"),
      temporary_(folder_ / "temporary") {
    // Grading would link these libraries when it needs them. If the build's folder belongs to another user,
    // they go into a temporary folder, which has to outlive this object's.
    fs::path stand_ins;
    for (const rubric::PartRubric& each : rubric_.parts)
        stand_ins = compile::stand_in_for(each.function->name, installation).parent_path();
    rubric_.limits.time_s = time_s;
    allow_all(folder_.path());
    for (const fs::path& folder : {target_folder_, target_folder_ / "home", target_folder_ / "other",
                                   temporary_, folder_ / "submissions"}) {
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

    // Every child inherits this descriptor unless it closes it. Its number is too high for a worker's own
    // files.
    constexpr int kHigh = 200;
    const FileDescriptor low(
        open((target_folder_ / "open_file").c_str(), O_RDWR | O_CREAT, S_IRUSR | S_IWUSR));
    open_file_ = FileDescriptor(fcntl(low.get(), F_DUPFD, kHigh));
    int port = 0;
    tcp_socket_ = listening(SOCK_STREAM, port);
    udp_socket_ = listening(SOCK_DGRAM, port);
    placeholders_ = {{"MARK", mark_},
                     {"FOLDER", target_folder_.string()},
                     {"PORT", std::to_string(port)},
                     {"KEY", std::to_string(key_)},
                     {"ADDRESS", std::to_string(reinterpret_cast<std::uintptr_t>(secret_in_memory.data()))},
                     {"PARENT", std::to_string(getpid())},
                     {"STAND_INS", stand_ins.string()},
                     {"SOURCES", installation.sources.string()}};
    reset();
}

AttackEnvironment::~AttackEnvironment() {
    std::signal(SIGUSR1, SIG_DFL);
    unsetenv(kToken);
    if (temporary_before_.empty())
        unsetenv("TMPDIR");
    else
        setenv("TMPDIR", temporary_before_.c_str(), 1);
}

/// Restores the initial state.
void AttackEnvironment::reset() const {
    folder_.write("place/program", "honest");
    allow_all(target_folder_ / "program");
    if (ftruncate(open_file_.get(), 0) != 0) throw std::runtime_error("cannot empty the open file");
    signals_taken = 0;
    FileDescriptor caller;
    do {
        caller = FileDescriptor(accept4(tcp_socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    } while (caller.get() >= 0);
    std::array<char, 64> datagram{};
    while (recv(udp_socket_.get(), datagram.data(), datagram.size(), 0) >= 0) {
    }
}

/// Collects all signs except leftovers.
void AttackEnvironment::collect_signs(Trial& trial) const {
    const auto seen = [&trial](const char* sign, const std::string& what) {
        trial.signs.insert(sign);
        trial.evidence.push_back(std::string(sign) + " " + what);
    };
    if (lseek(open_file_.get(), 0, SEEK_END) > 0) seen("written", "a file that the grader has open");
    if (signals_taken > 0) seen("signalled", "SIGUSR1");
    const FileDescriptor caller(accept4(tcp_socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<char, 64> datagram{};
    if (caller.get() >= 0) seen("connected", "by TCP");
    if (recv(udp_socket_.get(), datagram.data(), datagram.size(), 0) >= 0) seen("connected", "by UDP");
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
        folder_.write(fs::relative(file, folder_.path()), fill_placeholders(text, placeholders_));
    else
        fs::create_symlink(fill_placeholders(link, placeholders_), file);
    // Compiling takes most of the time, and no attack needs fast code.
    return std::make_shared<compile::Build>(
        compile::build_submission(folder, rubric_, installation_, {{"-O0"}, {}, layers}));
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
    compile::Builds builds(folder_.path(), {rubric_}, installation_, options.extra);
    builds.adopt(rubric_.number, build);
    return attn::grade(options, builds);
}

report::Report AttackEnvironment::grade(const std::string& name, const std::string& text) {
    Built& built = built_[name];
    if (!built) built = build(name, text, "", {});
    return grade(built, {}, kPublicSeed);
}

Trial AttackEnvironment::grade_attack(const Attack& attack, const worker::Layers& layers,
                                      std::uint64_t seed) {
    Trial trial;
    const auto take = [&trial](const std::vector<Leftovers::Found>& all, const fs::path& but) {
        for (const auto& [sign, what] : all) {
            const bool own_file = what.starts_with(but.string()), own_lock = what.ends_with(but.string());
            if (!but.empty() && (own_file || own_lock)) continue;
            trial.signs.insert(sign);
            trial.evidence.push_back(sign + " " + what);
        }
    };
    auto start = std::chrono::steady_clock::now();
    // An attack that must not compile is compiled anew with the given layers. All others are compiled with
    // all layers, whatever is taken away later.
    Built not_cached;
    Built& built = attack.outcome == Outcome::not_compiled ? not_cached : built_[attack.name];
    if (!built) {
        const Leftovers before(mark_, key_, {target_folder_, temporary_});
        built = build(attack.name, attack.text, attack.link,
                      attack.outcome == Outcome::not_compiled ? layers : worker::Layers());
        trial.compile_s = seconds_since(start);
        take(before.look(), built->folder.path());
        Leftovers::end_processes();
    }
    const Leftovers before(mark_, key_, {target_folder_, temporary_});
    start = std::chrono::steady_clock::now();
    trial.report = grade(built, layers, seed);
    trial.seconds = seconds_since(start);
    collect_signs(trial);
    take(before.look(), {});
    before.remove();
    reset();
    if (points_of_attacked_function(trial.report) > attack.points + 1e-9) {
        trial.signs.insert("points");
        trial.evidence.push_back("points " + std::to_string(points_of_attacked_function(trial.report)));
    }
    return trial;
}

}  // namespace attn::proof
