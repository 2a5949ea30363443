package dev.leasehold.architecture;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds public declarations of Kotlin without a comment. The compiler's explicit API mode demands the word {@code public} before each, so
 * their lines begin with it.
 */
final class MissingKotlinComments {

    private MissingKotlinComments() {}

    static List<String> in(String file, String source) {
        List<String> found = new ArrayList<>();
        List<String> lines = source.lines().map(String::strip).toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("public ") && !hasComment(lines, i)) {
                found.add(file + ":" + (i + 1) + ": " + lines.get(i) + " has no comment");
            }
        }
        return found;
    }

    private static boolean hasComment(List<String> lines, int declaration) {
        int before = declaration - 1;
        while (before >= 0 && lines.get(before).startsWith("@")) {
            before--;
        }
        return before >= 0 && lines.get(before).endsWith("*/");
    }
}
