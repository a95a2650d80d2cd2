// A folder is read and not written to; nothing in it is followed or waited for.

#include "grader/intake/from_folder.h"

#include <cstdlib>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "datasets/says.h"
#include "grader/testing/handed_in.h"

namespace attn::submission {
namespace {

using namespace std::string_literals;
using data::says;

BOOST_AUTO_TEST_SUITE(from_folder)

BOOST_AUTO_TEST_CASE(a_folder_is_copied_as_it_is) {
    const Place place;
    place.write("only/a.cpp", "good");
    place.write("only/.git/HEAD", "junk");
    check_taken(place.mine(), {{"a.cpp", "good"}}, {"graded is the folder \"only\""});
    place.write("b.cpp", "better");
    check_taken(place.mine(), {{"only/a.cpp", "good"}, {"b.cpp", "better"}}, {});
    const data::TemporaryDirectory empty;
    check_taken(empty.path(), {}, {});
}

BOOST_AUTO_TEST_CASE(links_pipes_and_sockets_in_a_folder_stay_out) {
    const Place place;
    place.write("a.cpp", "good");
    fs::create_symlink("/etc/passwd", place.mine() / "b_link");
    fs::create_directory_symlink("/etc", place.mine() / "c_folder");
    fs::create_symlink("d_loop", place.mine() / "d_loop");
    BOOST_REQUIRE(mkfifo((place.mine() / "e_pipe").c_str(), 0600) == 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (place.mine() / "f_socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    BOOST_REQUIRE(bind(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    close(socket_fd);
    place.write("g\nh.cpp", "bad name");
    check_taken(place.mine(), {{"a.cpp", "good"}},
                {"\"b_link\", a symbolic link to \"/etc/passwd\"; hand in the file itself",
                 "\"c_folder\", a symbolic link to \"/etc\"", "\"d_loop\", a symbolic link",
                 "\"e_pipe\", a pipe", "\"f_socket\", a socket", "\"g\\x0ah.cpp\", a name with control"});
}

/// As an ordinary user, for permissions mean nothing to root.
class Ordinary {
  public:
    Ordinary() : done_(geteuid() == 0 && seteuid(65534) == 0) {}
    Ordinary(const Ordinary&) = delete;
    Ordinary& operator=(const Ordinary&) = delete;
    ~Ordinary() {
        if (done_ && seteuid(0) != 0) std::abort();
    }

  private:
    bool done_;
};

BOOST_AUTO_TEST_CASE(what_cannot_be_read_stays_out) {
    const Ordinary user;
    const Place place;
    place.write("a.cpp", "good");
    fs::permissions(place.write("b.cpp", "secret"), fs::perms::none);
    const fs::path inner = place.write("c/d.cpp", "hidden").parent_path();
    fs::permissions(inner, fs::perms::none);
    check_taken(place.mine(), {{"a.cpp", "good"}},
                {"\"b.cpp\", which cannot be read (Permission denied)", "\"c\", which cannot be read"});
    fs::permissions(inner, fs::perms::owner_all);
    fs::permissions(place.mine(), fs::perms::none);
    BOOST_CHECK_EXCEPTION(take_in(place.mine()), UserError,
                          says({"the folder cannot be read (Permission denied)", "change its permissions"}));
    fs::permissions(place.mine(), fs::perms::owner_all);
}

BOOST_AUTO_TEST_CASE(a_submission_is_only_read) {
    const Ordinary user;
    const Place place;
    const fs::path file = place.write("a.cpp", "good");
    fs::permissions(file, fs::perms::owner_read);
    fs::permissions(place.mine(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto before = fs::last_write_time(place.mine());
    check_taken(place.mine(), {{"a.cpp", "good"}}, {});
    BOOST_TEST((fs::last_write_time(place.mine()) == before));
    fs::permissions(place.mine(), fs::perms::owner_all);
    fs::path copy;
    {
        const Intake intake = take_in(place.mine());
        copy = intake.folder;
        data::read_file(copy / "a.cpp");
    }
    BOOST_TEST(!fs::exists(copy.parent_path()));
    BOOST_TEST(data::read_file(file) == "good");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
