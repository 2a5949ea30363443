package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.inspect.Finding;
import java.util.List;
import java.util.regex.Pattern;

/** The messages for a user without a permission. */
final class Refusals {

    private Refusals() {}

    /** Returns the findings of the diagnosis that are not fine. */
    static List<String> diagnosed(Leasehold leasehold) {
        return leasehold.inspector().diagnose().stream()
                .filter(finding -> finding.level() != Finding.Level.FINE)
                .map(finding -> finding.text() + " " + finding.remedy())
                .toList();
    }

    /** The right that is missing is named, as a command or as a pattern of keys or channels. */
    static void assertNamed(String right, List<String> told) {
        String name = right.startsWith("+")
                ? "[+']" + Pattern.quote(right.substring(1)) + "\\b"
                : Pattern.quote(right.substring(1));
        assertThat(told)
                .as("without " + right)
                .anyMatch(text -> Pattern.compile(name).matcher(text).find());
    }
}
