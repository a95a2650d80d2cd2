// A folder is only read: the reader writes nothing, follows no link and waits for no pipe.

#include <cstdlib>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "datasets/files/message_contains.h"
#include "grader/intake/intake_folder.h"
#include "grader/testing/intake_fixture.h"

namespace attn::intake {
namespace {

BOOST_AUTO_TEST_SUITE(from_folder)

using namespace std::string_literals;
using data::message_contains;

BOOST_AUTO_TEST_CASE(a_folder_is_copied_file_by_file) {
    const TestSubmission submission;
    submission.write("only/a.cpp", "good");
    submission.write("only/.git/HEAD", "junk");
    check_accepted(submission.folder(), {{"a.cpp", "good"}}, {"the folder \"only\" is graded"});
    submission.write("b.cpp", "better");
    check_accepted(submission.folder(), {{"only/a.cpp", "good"}, {"b.cpp", "better"}}, {});
    const data::TemporaryDirectory empty;
    check_accepted(empty.path(), {}, {});
}

BOOST_AUTO_TEST_CASE(links_pipes_and_sockets_in_a_folder_are_left_out) {
    const TestSubmission submission;
    submission.write("a.cpp", "good");
    fs::create_symlink("/etc/passwd", submission.folder() / "b_link");
    fs::create_directory_symlink("/etc", submission.folder() / "c_folder");
    fs::create_symlink("d_loop", submission.folder() / "d_loop");
    BOOST_REQUIRE(mkfifo((submission.folder() / "e_pipe").c_str(), 0600) == 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (submission.folder() / "f_socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    BOOST_REQUIRE(bind(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    close(socket_fd);
    submission.write("g\nh.cpp", "bad name");
    check_accepted(submission.folder(), {{"a.cpp", "good"}},
                   {"\"b_link\", a symbolic link to \"/etc/passwd\"; hand in the file itself",
                    "\"c_folder\", a symbolic link to \"/etc\"", "\"d_loop\", a symbolic link",
                    "\"e_pipe\", a pipe", "\"f_socket\", a socket", "\"g\\x0ah.cpp\", a name with control"});
}

/// Runs the test as an ordinary user: permissions do not restrict root.
class OrdinaryUser {
  public:
    OrdinaryUser() : done_(geteuid() == 0 && seteuid(65534) == 0) {}
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;
    ~OrdinaryUser() {
        if (done_ && seteuid(0) != 0) std::abort();
    }

  private:
    bool done_;
};

BOOST_AUTO_TEST_CASE(an_unreadable_entry_is_left_out) {
    const OrdinaryUser user;
    const TestSubmission submission;
    submission.write("a.cpp", "good");
    fs::permissions(submission.write("b.cpp", "secret"), fs::perms::none);
    const fs::path inner = submission.write("c/d.cpp", "hidden").parent_path();
    fs::permissions(inner, fs::perms::none);
    check_accepted(submission.folder(), {{"a.cpp", "good"}},
                   {"\"b.cpp\", which cannot be read (Permission denied)", "\"c\", which cannot be read"});
    fs::permissions(inner, fs::perms::owner_all);
    fs::permissions(submission.folder(), fs::perms::none);
    BOOST_CHECK_EXCEPTION(
        take_in(submission.folder()), UserError,
        message_contains({"the folder cannot be read (Permission denied)", "change its permissions"}));
    fs::permissions(submission.folder(), fs::perms::owner_all);
}

BOOST_AUTO_TEST_CASE(the_submission_is_not_written_to) {
    const OrdinaryUser user;
    const TestSubmission submission;
    const fs::path file = submission.write("a.cpp", "good");
    fs::permissions(file, fs::perms::owner_read);
    fs::permissions(submission.folder(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto before = fs::last_write_time(submission.folder());
    check_accepted(submission.folder(), {{"a.cpp", "good"}}, {});
    BOOST_TEST((fs::last_write_time(submission.folder()) == before));
    fs::permissions(submission.folder(), fs::perms::owner_all);
    fs::path copy;
    {
        const Intake intake = take_in(submission.folder());
        copy = intake.folder;
        data::read_file(copy / "a.cpp");
    }
    BOOST_TEST(!fs::exists(copy.parent_path()));
    BOOST_TEST(data::read_file(file) == "good");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::intake
