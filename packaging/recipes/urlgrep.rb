class Urlgrep < Formula
  desc "@summary@"
  homepage "@homepage@"
  version "@version@"
  license any_of: [@licences@]

  on_macos do
    on_arm do
      url "@url aarch64-apple-darwin@"
      sha256 "@sha256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@url x86_64-apple-darwin@"
      sha256 "@sha256 x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "@url aarch64-unknown-linux-musl@"
      sha256 "@sha256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@url x86_64-unknown-linux-musl@"
      sha256 "@sha256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    prefix.install "bin", "share"
  end

  test do
    (testpath/"letter").write "see <URL:http://h.org/a/\nb>\n"
    assert_equal "http://h.org/a/b\n", shell_output("#{bin}/urlgrep letter")
  end
end
