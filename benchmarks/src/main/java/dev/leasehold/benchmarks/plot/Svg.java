package dev.leasehold.benchmarks.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes panels as SVG, two in a row, without a script, an external font or a fixed color scheme: readers of a page see it
 * as an image, which follows their preference for light or dark.
 */
final class Svg {

    private static final int WIDTH = 960;
    private static final int PANEL = WIDTH / 2;
    private static final int MARGIN = 24;
    private static final int LABELS = 176;
    private static final int BARS = 180;
    private static final int ROW = 22;
    private static final int BAR = 13;
    private static final int HEADER = 52;
    private static final int NOTE = 16;
    private static final int GAP = 6;

    private static final String STYLE = """
              <style>
                text { font: 12px system-ui, sans-serif; fill: #1f2328 }
                .title { font-weight: 600; font-size: 14px }
                .note { fill: #59636e; font-size: 11px }
                .page { fill: #ffffff }
                .ours { fill: #0969da }
                .peer { fill: #818b98 }
                .reference { fill: none; stroke: #818b98 }
                .second { opacity: .5 }
                .range { stroke: #1f2328 }
                @media (prefers-color-scheme: dark) {
                  text { fill: #f0f6fc }
                  .note { fill: #9198a1 }
                  .page { fill: #0d1117 }
                  .ours { fill: #4493f8 }
                  .peer { fill: #6e7681 }
                  .reference { stroke: #9198a1 }
                  .range { stroke: #f0f6fc }
                }
              </style>
            """;

    private final String title;
    private final List<Panel> panels;
    private final List<String> notes;
    private final StringBuilder text = new StringBuilder();

    /** Creates a picture with a title, panels, and lines below them. */
    Svg(String title, List<Panel> panels, List<String> notes) {
        this.title = title;
        this.panels = List.copyOf(panels);
        this.notes = List.copyOf(notes);
        draw();
    }

    private void draw() {
        List<Integer> tops = new ArrayList<>();
        int height = 0;
        for (int n = 0; n < panels.size(); n += 2) {
            tops.add(height);
            int rows = panels.subList(n, Math.min(n + 2, panels.size())).stream()
                    .mapToInt(panel -> panel.rows().size())
                    .max()
                    .orElse(0);
            height += HEADER + rows * ROW + MARGIN;
        }
        int notesTop = height;
        height += (notes.size() + 1) * NOTE;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " aria-labelledby=\"plot-title plot-desc\">",
                WIDTH, height, WIDTH, height);
        add("  <title id=\"plot-title\">%s</title>", escape(title));
        add(
                "  <desc id=\"plot-desc\">%s</desc>",
                escape(panels.stream().map(Panel::inWords).collect(Collectors.joining(" "))));
        text.append(STYLE);
        add("  <rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>", WIDTH, height);
        for (int n = 0; n < panels.size(); n++) {
            draw(panels.get(n), n % 2 * PANEL + MARGIN, tops.get(n / 2));
        }
        for (int n = 0; n < notes.size(); n++) {
            write("note", MARGIN, notesTop + (n + 1) * NOTE, "start", notes.get(n));
        }
        add("</svg>");
    }

    private void draw(Panel panel, int left, int top) {
        write("title", left, top + MARGIN, "start", panel.title());
        write("note", left, top + MARGIN + NOTE, "start", panel.note());
        double scale = BARS / Math.max(Double.MIN_NORMAL, panel.greatest());
        for (int n = 0; n < panel.rows().size(); n++) {
            draw(panel.rows().get(n), left + LABELS, top + HEADER + n * ROW, scale);
        }
    }

    private void draw(Panel.Row row, int left, int top, double scale) {
        int baseline = top + BAR - 2;
        write("label", left - GAP, baseline, "end", row.subject());
        String kind = Panel.Kind.of(row.subject()).name().toLowerCase(Locale.ROOT);
        double end = left;
        String second = "";
        for (double part : row.parts()) {
            double width = Math.max(1, part * scale);
            add(
                    "  <rect class=\"%s%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    kind, second, end, top, width, BAR);
            end += width;
            second = " second";
        }
        if ((row.most() - row.least()) * scale >= 1) {
            double y = top + BAR / 2.0;
            add(
                    "  <line class=\"range\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                    left + row.least() * scale, y, left + row.most() * scale, y);
            end = Math.max(end, left + row.most() * scale);
        }
        write("value", end + GAP, baseline, "start", row.text());
    }

    private void write(String kind, double x, double y, String anchor, String words) {
        add(
                "  <text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                kind, x, y, anchor, escape(words));
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
