package dev.leasehold.internal.client;

import dev.leasehold.diagnostics.Finding;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what the preflight finds. A preflight that is repeated, because it refused the server, logs only what the one before did not find.
 * A finding with another number in it, such as the skew of a clock, is the same. Safe for use by several threads, which may log twice.
 */
final class FindingLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.preflight");

    private static final String FINDING = "{}: {} {}";
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private volatile Set<String> last = Set.of();

    void log(List<Finding> findings) {
        Set<String> found = new HashSet<>();
        for (Finding finding : findings) {
            String what = withoutNumbers(finding.level() + finding.subject() + finding.text());
            found.add(what);
            if (!last.contains(what)) {
                log(finding);
            }
        }
        last = found;
    }

    /** Returns what is compared of a text that tries repeat. */
    static String withoutNumbers(String text) {
        return NUMBERS.matcher(text).replaceAll("#");
    }

    /** A danger may cost a lock. A warning may be what the operator chose, such as a server without an append-only file. */
    private static void log(Finding finding) {
        switch (finding.level()) {
            case DANGER -> LOG.warn(FINDING, finding.subject(), finding.text(), finding.remedy());
            case WARNING -> LOG.info(FINDING, finding.subject(), finding.text(), finding.remedy());
            case FINE -> LOG.debug(FINDING, finding.subject(), finding.text(), finding.remedy());
        }
    }
}
