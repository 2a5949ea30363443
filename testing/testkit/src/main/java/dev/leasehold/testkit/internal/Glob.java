package dev.leasehold.testkit.internal;

/** Patterns of SCAN and KEYS: star, question mark, classes in brackets, and the backslash. */
final class Glob {

    private Glob() {}

    static boolean matches(String pattern, String text) {
        return matches(pattern, 0, text, 0);
    }

    private static boolean matches(String pattern, int p, String text, int t) {
        if (p == pattern.length()) {
            return t == text.length();
        }
        char sign = pattern.charAt(p);
        if (sign == '*') {
            for (int rest = t; rest <= text.length(); rest++) {
                if (matches(pattern, p + 1, text, rest)) {
                    return true;
                }
            }
            return false;
        }
        if (t == text.length()) {
            return false;
        }
        if (sign == '?') {
            return matches(pattern, p + 1, text, t + 1);
        }
        int end = sign == '[' ? pattern.indexOf(']', p + 1) : -1;
        if (end > 0) {
            return inClass(pattern.substring(p + 1, end), text.charAt(t)) && matches(pattern, end + 1, text, t + 1);
        }
        int literal = sign == '\\' && p + 1 < pattern.length() ? p + 1 : p;
        return pattern.charAt(literal) == text.charAt(t) && matches(pattern, literal + 1, text, t + 1);
    }

    private static boolean inClass(String members, char letter) {
        boolean negated = members.startsWith("^");
        boolean found = false;
        for (int i = negated ? 1 : 0; i < members.length(); i++) {
            if (i + 2 < members.length() && members.charAt(i + 1) == '-') {
                found |= members.charAt(i) <= letter && letter <= members.charAt(i + 2);
                i += 2;
            } else {
                found |= members.charAt(i) == letter;
            }
        }
        return found != negated;
    }
}
