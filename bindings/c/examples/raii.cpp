// The URLs of standard input in C++: the pointers of C in std::unique_ptr, and a loop over an iterator.

#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <urlgrep.h>

namespace urlgrep {

struct Free {
    void operator()(urlgrep_options *options) const { urlgrep_options_free(options); }
    void operator()(urlgrep_finder *finder) const { urlgrep_finder_free(finder); }
    void operator()(urlgrep_iter *iter) const { urlgrep_iter_free(iter); }
};

using Options = std::unique_ptr<urlgrep_options, Free>;

inline const uint8_t *bytes(std::string_view text) { return reinterpret_cast<const uint8_t *>(text.data()); }

class Finder {
public:
    explicit Finder(const Options &options = nullptr) {
        char message[200] = "";
        finder.reset(urlgrep_finder_new(options.get(), message, sizeof message));
        if (!finder) {
            throw std::invalid_argument(message);
        }
    }

    // Calls `each` with the URLs of `text`, as views that are valid during the call.
    template <typename Each> void find_all(std::string_view text, Each each) const {
        std::unique_ptr<urlgrep_iter, Free> iter(urlgrep_iter_new(finder.get(), bytes(text), text.size()));
        while (const urlgrep_match *match = urlgrep_iter_next(iter.get())) {
            size_t len = 0;
            const uint8_t *url = urlgrep_match_url(match, &len);
            each(std::string_view(reinterpret_cast<const char *>(url), len));
        }
    }

private:
    std::unique_ptr<urlgrep_finder, Free> finder;
};

} // namespace urlgrep

int main() {
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    urlgrep::Finder().find_all(text, [](std::string_view url) { std::cout << url << '\n'; });
}
