// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/error.h"
#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/base/sha256.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"

using namespace fabric;
using fabrictest::hex;

TEST_CASE("SHA-256 gives the digests of its standard", "[fabric]") {
  CHECK(hex(sha256({})) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256(bytes_of("abc"))) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(sha256(Bytes(1'000'000, std::byte{'a'}))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("keyed hashes are those of RFC 4231", "[fabric]") {
  CHECK(hex(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(hex(hmac_sha256(Bytes(131, std::byte{0xaa}),
                        bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("a text of another process is shown without control characters", "[fabric]") {
  CHECK(printable("process 4711 on 10.0.0.2") == "process 4711 on 10.0.0.2");
  CHECK(printable("a\x1b[2Jb\r\nc\td\x7f") == "a\\x1b[2Jb\\x0d\\x0ac\\x09d\\x7f");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("Gerät 設備") == "Gerät 設備");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\xc2\\x9b31m");  // a control of 8 bits, in UTF-8
  CHECK(printable("\x9b"
                  "31m") == "\\x9b31m");         // the same alone
  CHECK(printable("\xc0\x8a") == "\\xc0\\x8a");  // a line end that is too long
  CHECK(printable("a\xe2\x80\xae"
                  "b") ==
        "a\\xe2\\x80\\xae"
        "b");                                    // reverses the text
  CHECK(printable("\xe8\xa8") == "\\xe8\\xa8");  // cut off
  CHECK(printable(std::string(1 << 20, 'a')).size() < 8192);
}

TEST_CASE("what is written comes out as it was", "[fabric]") {
  const Bytes bytes = Writer()
                          .number(std::int32_t{-5})
                          .text("rank 3")
                          .number(std::uint64_t{1} << 63)
                          .bytes(bytes_of({"\0x", 2}))
                          .take();
  Reader reader(bytes);
  CHECK(reader.number<std::int32_t>() == -5);
  CHECK(reader.text() == "rank 3");
  CHECK(reader.number<std::uint64_t>() == std::uint64_t{1} << 63);
  CHECK(text_of(reader.bytes()) == std::string("\0x", 2));
  CHECK(reader.empty());
}

TEST_CASE("a message that is cut off anywhere is refused, and so is one that is too long",
          "[fabric]") {
  const Bytes whole = Writer().number(std::int16_t{1}).text("text").take();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Reader reader(std::span<const std::byte>(whole).first(size));
    CHECK_THROWS_AS((reader.number<std::int16_t>(), reader.text()), FabricError);
  }
  Reader reader(whole);
  reader.number<std::int16_t>();
  CHECK_THROWS_AS(reader.end(), FabricError);
}

TEST_CASE("only who knows nonce and secret proves an identity", "[fabric]") {
  const Identity::Nonce nonce = Identity::draw_nonce();
  const Bytes challenge = bytes_of("a challenge");
  const Identity identity(nonce, "secret");
  const Digest proof = identity.prove(Identity::Side::rank, challenge);
  CHECK(same(proof, Identity(nonce, "secret").prove(Identity::Side::rank, challenge)));
  CHECK_FALSE(same(proof, Identity(nonce, "other").prove(Identity::Side::rank, challenge)));
  CHECK_FALSE(same(
      proof, Identity(Identity::draw_nonce(), "secret").prove(Identity::Side::rank, challenge)));
  CHECK_FALSE(same(proof, identity.prove(Identity::Side::store, challenge)));
  CHECK_FALSE(same(proof, identity.prove(Identity::Side::rank, bytes_of("another"))));
}
