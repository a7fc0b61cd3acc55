# Builds and installs the program with its manual page, completions and documents.
#
#     make && sudo make install               below /usr/local
#     make && make install PREFIX=~/.local    for one user
#     make install DESTDIR=/tmp/p PREFIX=/usr for a package
#     make uninstall                          what was installed, with the same variables
#     make deb, make rpm                      packages, by cargo-deb and cargo-generate-rpm, with Python 3
#     make PROFILE=release                    in a third of the time, a program that is a little slower
#
# To build for another target: TARGET=aarch64-unknown-linux-gnu GENERATOR=/path/to/urlgrep, a program that runs
# here and prints the manual page and the completions.

CARGO ?= cargo
CARGOFLAGS ?= --locked
# The decoder of zstd in C needs a C compiler; `make FEATURES=` does without it.
FEATURES ?= zstd-c
# The program prints its manual page and completions.
features := generate $(FEATURES)
PROFILE ?= dist
# What is packaged names files of crates, in messages of panics, but no folder of the machine that built it. Flags of the
# environment are kept.
ifeq ($(PROFILE),dist)
export RUSTFLAGS += --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo --remap-path-prefix=$(CURDIR)=.
endif
INSTALL ?= install
TARGET ?=

PREFIX ?= /usr/local
DESTDIR ?=
bindir ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/urlgrep
bashdir ?= $(datadir)/bash-completion/completions
zshdir ?= $(datadir)/zsh/site-functions
fishdir ?= $(datadir)/fish/vendor_completions.d

built := $(or $(CARGO_TARGET_DIR),target)$(if $(TARGET),/$(TARGET))/$(PROFILE:dev=debug)
exe := $(if $(findstring windows,$(TARGET)),.exe)
program := $(built)/urlgrep$(exe)
GENERATOR ?= $(program)
# What the program generates; crates/cli/Cargo.toml names the same files for packages.
dist := target/generated
generated := $(addprefix $(dist)/,urlgrep.1 urlgrep.bash _urlgrep urlgrep.fish urlgrep.ps1)

# No installed document links to one that is not.
documents := README.md CHANGELOG.md CONTRIBUTING.md DESIGN.md SECURITY.md LICENSE-APACHE LICENSE-MIT
pages := $(wildcard docs/*.md docs/*.png)
designs := $(wildcard docs/design/*.md)
macros := $(wildcard contrib/*)
scripts := $(wildcard bindings/python/examples/*)

.PHONY: all program install uninstall notices deb rpm

all: program
	@$(MAKE) --no-print-directory $(generated)

# Cargo knows what is up to date.
program:
	$(CARGO) build --profile $(PROFILE) $(CARGOFLAGS) --features "$(features)" --bin urlgrep $(if $(TARGET),--target $(TARGET))

$(dist)/urlgrep.1: what = man
$(dist)/urlgrep.bash: what = complete-bash
$(dist)/_urlgrep: what = complete-zsh
$(dist)/urlgrep.fish: what = complete-fish
$(dist)/urlgrep.ps1: what = complete-powershell
$(generated): $(GENERATOR)
	@mkdir -p $(dist)
	$(GENERATOR) --generate $(what) >$@.part
	@mv $@.part $@

# It builds nothing: root may have no Rust.
install:
	@test -e $(program) -a -e $(dist)/urlgrep.1 || { echo "first type: make" >&2; exit 1; }
	$(INSTALL) -d "$(DESTDIR)$(bindir)" "$(DESTDIR)$(mandir)/man1" "$(DESTDIR)$(bashdir)" "$(DESTDIR)$(zshdir)" \
		"$(DESTDIR)$(fishdir)" "$(DESTDIR)$(docdir)/docs/design" "$(DESTDIR)$(docdir)/contrib" \
		"$(DESTDIR)$(docdir)/bindings/python/examples"
	$(INSTALL) -m 755 $(program) "$(DESTDIR)$(bindir)/urlgrep$(exe)"
	$(INSTALL) -m 644 $(dist)/urlgrep.1 "$(DESTDIR)$(mandir)/man1/urlgrep.1"
	$(INSTALL) -m 644 $(dist)/urlgrep.bash "$(DESTDIR)$(bashdir)/urlgrep"
	$(INSTALL) -m 644 $(dist)/_urlgrep "$(DESTDIR)$(zshdir)/_urlgrep"
	$(INSTALL) -m 644 $(dist)/urlgrep.fish "$(DESTDIR)$(fishdir)/urlgrep.fish"
	$(INSTALL) -m 644 $(documents) $(dist)/urlgrep.ps1 "$(DESTDIR)$(docdir)"
	$(INSTALL) -m 644 $(pages) "$(DESTDIR)$(docdir)/docs"
	$(INSTALL) -m 644 $(designs) "$(DESTDIR)$(docdir)/docs/design"
	$(INSTALL) -m 644 $(macros) "$(DESTDIR)$(docdir)/contrib"
	$(INSTALL) -m 644 bindings/python/README.md "$(DESTDIR)$(docdir)/bindings/python"
	$(INSTALL) -m 644 $(scripts) "$(DESTDIR)$(docdir)/bindings/python/examples"

uninstall:
	rm -f "$(DESTDIR)$(bindir)/urlgrep$(exe)" "$(DESTDIR)$(mandir)/man1/urlgrep.1" "$(DESTDIR)$(bashdir)/urlgrep" \
		"$(DESTDIR)$(zshdir)/_urlgrep" "$(DESTDIR)$(fishdir)/urlgrep.fish"
	rm -rf "$(DESTDIR)$(docdir)"

# Whoever copies the program copies the notices of what is in it.
notices: all
	python3 tools/notices.py "$(features)" $(TARGET) >$(dist)/third-party.txt
	gzip -9nc CHANGELOG.md >$(dist)/changelog.gz

deb: notices
	$(CARGO) deb -p urlgrep-cli --profile dist --no-build $(if $(TARGET),--target $(TARGET))

rpm: notices
	$(CARGO) generate-rpm -p crates/cli --profile dist $(if $(TARGET),--target $(TARGET))
