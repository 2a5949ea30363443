package dev.leasehold.architecture;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A text that must not occur in any file of the repository.
 *
 * @param what its description
 * @param pattern finds it in a line
 */
record TextRule(String what, Pattern pattern) {
    /** Written in pieces, so that this file does not break its own rules. */
    static List<TextRule> all() {
        return List.of(
                rule("a path of somebody's machine", "(?<![\\w.-])/(root|work|mnt|Users|home/[a-z]\\w*)/"),
                rule("a path of somebody's machine", "\\b[A-Z]:\\\\" + "Users\\\\"),
                rule("a path of one JDK", "/usr/lib" + "/jvm"),
                rule(
                        "a host of a package registry",
                        "repo1?\\.maven\\." + "(apache\\.)?org|oss\\.sonatype\\." + "org|registry\\.npmjs\\." + "org"
                                + "|pypi\\." + "org|pythonhosted\\." + "org|proxy\\.golang\\." + "org"
                                + "|(static\\.)?crates\\." + "io|registry-1\\.docker\\." + "io"
                                + "|(deb|archive)\\.(debian|ubuntu)\\." + "(org|com)"),
                rule("a note of unfinished work", "\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b"),
                rule("a conflict marker", "^(<{7}|>{7}|={7})( |$)"),
                // What a formatter makes of a line that it joins to the one before.
                rule(
                        "a tag of Javadoc or KDoc within a sentence",
                        "^\\s*/?\\*\\*? .*\\S @(throws|exception|return|param|property|receiver|see|since|deprecated)\\b"),
                rule("a private key", "BEGIN [A-Z ]*PRIVATE " + "KEY"));
    }

    private static TextRule rule(String what, String pattern) {
        return new TextRule(what, Pattern.compile(pattern));
    }

    List<String> violations(String file, String text) {
        List<String> lines = text.lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> pattern.matcher(lines.get(i)).find())
                .mapToObj(i ->
                        file + ":" + (i + 1) + ": " + what + ": " + lines.get(i).strip())
                .toList();
    }
}
