// A file of hops between nodes: line i has the hops from node i to each node, optionally behind the node's host name.
#include "named_hosts.h"
#include "lines.h"
#include "star.h"

#include <charconv>
#include <cstdint>
#include <numeric>

namespace overlap {
namespace {

constexpr int kMostHops = 10000;

struct HopTable {
    std::vector<std::string> hosts; // empty where the file has no names
    std::vector<std::uint16_t> hops;
    std::size_t size = 0;
};

class MatrixNetwork final : public Network {
  public:
    // `places`: row of each node, then of each storage server that is known.
    MatrixNetwork(HopTable table, std::vector<int> places, const NetworkRequest &request)
        : Network(MakeStar(request), static_cast<int>(request.hosts.size()), request.rates.latency),
          table_(std::move(table)), places_(std::move(places)) {}

    std::string Describe() const override { return "matrix"; }
    int Hops(int from, int to) const override { return table_.hops[Place(from) * table_.size + Place(to)]; }
    void AppendPath(int from, int to, std::vector<int> &links) const override { AppendStarPath(from, to, links); }

    std::optional<double> HopsToStorage(int node) const override {
        const int servers = static_cast<int>(places_.size()) - nodes();
        if (servers == 0) {
            return std::nullopt;
        }
        double sum = 0;
        for (int server = 0; server < servers; ++server) {
            sum += Hops(node, nodes() + server);
        }
        return sum / servers;
    }

  private:
    std::size_t Place(int node) const { return static_cast<std::size_t>(places_[static_cast<std::size_t>(node)]); }

    HopTable table_;
    std::vector<int> places_;
};

bool ParseHops(const std::string &word, int &hops) {
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), hops);
    return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size();
}

// One row; empty where it is right, else what is wrong.
std::string AddRow(std::vector<std::string> words, std::size_t row, HopTable &table) {
    int hops = 0;
    const bool named = !ParseHops(words.front(), hops);
    if (row == 0) {
        table.size = words.size() - (named ? 1 : 0);
    } else if (named != !table.hosts.empty()) {
        return "host names stand on all lines or on none";
    }
    if (named) {
        table.hosts.push_back(words.front());
        words.erase(words.begin());
    }
    if (words.size() != table.size || row >= table.size) {
        return row >= table.size
                   ? "the matrix has more lines than columns, which are " + std::to_string(table.size)
                   : std::to_string(words.size()) + " numbers on this line, " + std::to_string(table.size) + " on the first";
    }
    for (std::size_t column = 0; column < words.size(); ++column) {
        if (!ParseHops(words[column], hops)) {
            return "\"" + Brief(words[column]) + "\" is no number of hops";
        }
        if (column == row ? hops != 0 : (hops < 2 || hops > kMostHops)) {
            return "column " + std::to_string(column + 1) + ": " + std::to_string(hops) +
                   (column == row ? " hops from a node to itself, which are 0"
                                  : " hops between two nodes, which are 2 to " + std::to_string(kMostHops));
        }
        table.hops.push_back(static_cast<std::uint16_t>(hops));
    }
    return "";
}

Outcome<HopTable> ParseMatrix(const SourceText &source) {
    HopTable table;
    std::size_t rows = 0;
    for (const Line &line : SplitLines(source.text, false)) {
        const std::vector<std::string> words = SplitWords(WithoutComment(line.text));
        if (words.empty()) {
            continue;
        }
        const std::string wrong = AddRow(words, rows, table);
        if (!wrong.empty()) {
            return At(source, line.number, wrong);
        }
        ++rows;
    }
    if (rows != table.size || rows == 0) {
        return At(source, 0,
                  "the matrix has " + std::to_string(rows) + " lines and " + std::to_string(table.size) + " columns");
    }
    return table;
}

} // namespace

NetworkOutcome MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request) {
    Outcome<HopTable> table = ParseMatrix(source);
    if (!table.ok()) {
        return table.failure();
    }
    std::vector<int> places(request.hosts.size());
    std::vector<std::string> unknown_storage;
    if (!table.value().hosts.empty()) {
        const NamedHosts hosts(table.value().hosts);
        Outcome<std::vector<int>> found = hosts.FindAll(request.hosts, source);
        if (!found.ok()) {
            return found.failure();
        }
        places = std::move(found.value());
        const std::vector<int> storage = hosts.FindSome(request.storage, unknown_storage);
        places.insert(places.end(), storage.begin(), storage.end());
    } else if (request.hosts.size() > table.value().size) {
        return At(source, 0,
                  "the matrix is of " + std::to_string(table.value().size) + " nodes, " +
                      std::to_string(request.hosts.size()) + " are needed");
    } else {
        std::iota(places.begin(), places.end(), 0);
        unknown_storage = request.storage; // its lines have no names
    }
    auto network = std::make_unique<MatrixNetwork>(std::move(table.value()), std::move(places), request);
    network->set_unknown_storage(std::move(unknown_storage));
    return NetworkOutcome(std::move(network));
}

} // namespace overlap
