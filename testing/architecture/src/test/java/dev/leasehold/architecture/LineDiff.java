package dev.leasehold.architecture;

import java.util.ArrayList;
import java.util.List;

/** The lines that differ between two texts, each under the heading that both share. */
final class LineDiff {
    private LineDiff() {}

    /** Returns nothing if the texts are equal, else lines that start with {@code -} (old), {@code +} (new) or a blank. */
    static List<String> of(List<String> before, List<String> after) {
        int[][] common = common(before, after);
        List<String> diff = new ArrayList<>();
        String heading = "";
        String shown = "";
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            boolean same =
                    i < before.size() && j < after.size() && before.get(i).equals(after.get(j));
            if (same) {
                heading = isHeading(before.get(i)) ? before.get(i) : heading;
                i++;
                j++;
                continue;
            }
            boolean gone = j == after.size() || i < before.size() && common[i + 1][j] >= common[i][j + 1];
            String line = gone ? before.get(i++) : after.get(j++);
            if (isHeading(line)) {
                heading = line;
                shown = line;
            } else if (!heading.equals(shown)) {
                diff.add("  " + heading);
                shown = heading;
            }
            diff.add((gone ? "- " : "+ ") + line);
        }
        return diff;
    }

    private static boolean isHeading(String line) {
        return !line.isEmpty() && !line.startsWith(" ");
    }

    /** Cell (i, j) contains the length of the longest common subsequence of the lines from i and j on. */
    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
