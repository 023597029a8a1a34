// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace placement {
namespace {

constexpr double kMargin = 40;
constexpr double kColumn = 18; // pixels from node to node
constexpr double kRow = 90;    // from height to height
constexpr double kWidest = 8;  // stroke of the link with the largest load

std::string Escaped(const std::string &text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

// Where the vertices stand: nodes in the order of the switches above them, a switch above the middle of what is below it.
// Switches with no node of the job below them are left out.
class Drawing {
  public:
    explicit Drawing(const bench::WiredNetwork &network)
        : wiring_(network.wiring()), x_(wiring_.vertices.size(), std::nan("")) {
        std::vector<int> nodes(static_cast<std::size_t>(network.nodes()));
        std::iota(nodes.begin(), nodes.end(), 0);
        std::vector<std::vector<int>> above;
        for (const int node : nodes) {
            above.push_back(SwitchesAbove(node));
        }
        std::sort(nodes.begin(), nodes.end(),
                  [&](int a, int b) { return above[static_cast<std::size_t>(a)] < above[static_cast<std::size_t>(b)]; });
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            x_[static_cast<std::size_t>(nodes[i])] = kMargin + kColumn * static_cast<double>(i);
        }
        for (const bench::Vertex &vertex : wiring_.vertices) {
            height_ = std::max(height_, vertex.height);
        }
        for (int height = 1; height <= height_; ++height) {
            PlaceSwitches(height);
        }
    }

    bool Shows(int vertex) const { return !std::isnan(X(vertex)); }
    double X(int vertex) const { return x_[static_cast<std::size_t>(vertex)]; }
    double Y(int vertex) const {
        return kMargin + kRow * (height_ - wiring_.vertices[static_cast<std::size_t>(vertex)].height);
    }
    double Width(int nodes) const { return 2 * kMargin + kColumn * nodes; }
    double Height() const { return 2 * kMargin + kRow * height_; }

  private:
    // From the top, the node itself last: of each level the lowest-numbered.
    std::vector<int> SwitchesAbove(int node) const {
        std::vector<int> above = {node};
        for (bool up = true; up;) {
            const int at = above.back();
            up = false;
            for (const bench::Link &link : wiring_.links) {
                if (link.from == at && wiring_.vertices[static_cast<std::size_t>(link.to)].height >
                                           wiring_.vertices[static_cast<std::size_t>(at)].height) {
                    above.push_back(link.to);
                    up = true;
                    break;
                }
            }
        }
        std::reverse(above.begin(), above.end());
        return above;
    }

    void PlaceSwitches(int height) {
        std::vector<double> sums(x_.size(), 0);
        std::vector<int> counts(x_.size(), 0);
        for (const bench::Link &link : wiring_.links) {
            const auto to = static_cast<std::size_t>(link.to);
            if (wiring_.vertices[to].height == height && Shows(link.from) &&
                wiring_.vertices[static_cast<std::size_t>(link.from)].height < height) {
                sums[to] += X(link.from);
                ++counts[to];
            }
        }
        for (std::size_t vertex = 0; vertex < x_.size(); ++vertex) {
            if (counts[vertex] > 0) {
                x_[vertex] = sums[vertex] / counts[vertex];
            }
        }
    }

    const bench::Wiring &wiring_;
    std::vector<double> x_;
    int height_ = 0;
};

void DrawLinks(std::ostream &out, const bench::Wiring &wiring, const LinkLoad &load, const Drawing &drawing) {
    const double most = std::max(load.most_bytes, 1.0);
    for (std::size_t i = 0; i < wiring.links.size(); ++i) {
        const bench::Link &link = wiring.links[i];
        if (!drawing.Shows(link.from) || !drawing.Shows(link.to)) {
            continue;
        }
        const bool busiest = static_cast<int>(i) == load.busiest;
        out << "<line x1=\"" << drawing.X(link.from) << "\" y1=\"" << drawing.Y(link.from) << "\" x2=\""
            << drawing.X(link.to) << "\" y2=\"" << drawing.Y(link.to) << "\" stroke=\"" << (busiest ? "#c00" : "#888")
            << "\" stroke-opacity=\"" << (busiest ? 1 : 0.5) << "\" stroke-width=\"" << 0.5 + kWidest * load.bytes[i] / most
            << "\"><title>" << Escaped(wiring.vertices[static_cast<std::size_t>(link.from)].name) << " to "
            << Escaped(wiring.vertices[static_cast<std::size_t>(link.to)].name) << ": " << load.bytes[i] / 1e9
            << " GB</title></line>\n";
    }
}

} // namespace

void DrawSvg(std::ostream &out, const Job &job, const Result &result) {
    const bench::WiredNetwork &network = *job.network;
    const bench::Wiring &wiring = network.wiring();
    const Drawing drawing(network);
    std::vector<int> domains(static_cast<std::size_t>(network.nodes()), 0);
    for (const Rank rank : result.aggregators) {
        ++domains[static_cast<std::size_t>(job.topology->NodeOf(rank))];
    }
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << drawing.Width(network.nodes()) << "\" height=\""
        << drawing.Height() << "\" font-family=\"sans-serif\" font-size=\"10\">\n<text x=\"" << kMargin << "\" y=\"20\">"
        << Escaped(result.strategy + ", " + network.Describe()) << ": " << result.hop_bytes / 1e9
        << "e9 hop-bytes; filled: aggregators; width: bytes of a link; red: the slowest</text>\n";
    DrawLinks(out, wiring, result.load, drawing);
    for (int vertex = 0; vertex < static_cast<int>(wiring.vertices.size()); ++vertex) {
        if (!drawing.Shows(vertex)) {
            continue;
        }
        const std::string name = Escaped(wiring.vertices[static_cast<std::size_t>(vertex)].name);
        if (vertex >= network.nodes()) {
            out << "<rect x=\"" << drawing.X(vertex) - 8 << "\" y=\"" << drawing.Y(vertex) - 6
                << "\" width=\"16\" height=\"12\" fill=\"#def\" stroke=\"#036\"/><text x=\"" << drawing.X(vertex) + 12
                << "\" y=\"" << drawing.Y(vertex) + 4 << "\">" << name << "</text>\n";
            continue;
        }
        const int owned = domains[static_cast<std::size_t>(vertex)];
        out << "<circle cx=\"" << drawing.X(vertex) << "\" cy=\"" << drawing.Y(vertex) << "\" r=\"6\" fill=\""
            << (owned > 0 ? "#e80" : "#fff") << "\" stroke=\"#333\"><title>" << name << ": " << owned
            << " domains</title></circle>\n";
    }
    out << "</svg>\n";
}

} // namespace placement
