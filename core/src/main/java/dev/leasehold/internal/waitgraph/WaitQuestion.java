package dev.leasehold.internal.waitgraph;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A question to the clients of a process: what their threads wait for. One line: a word, the number of the question, the channel for
 * the answers, and the threads whose stacks are wanted.
 *
 * @param number names the question; no other question has it
 * @param replyTo the channel for the answers
 * @param threads the threads, by their ids in that process
 */
record WaitQuestion(String number, String replyTo, Set<Long> threads) {

    private static final String WORD = "waits";
    private static final int FIXED_WORDS = 3;
    private static final int MOST_THREADS = 100;

    /** Returns the channel on which the clients of a process are asked. A channel of wake-ups ends with the id of a client instead. */
    static String channel(KeyPrefix prefix, String process) {
        return prefix.value() + ":w:" + LeaseEntry.encoded(new Holder(process, "", "").process());
    }

    String text() {
        StringBuilder text = new StringBuilder(WORD + " " + number + " " + replyTo);
        threads.stream().limit(MOST_THREADS).forEach(thread -> text.append(' ').append(thread));
        return text.toString();
    }

    /** Reads a question; null if it is something else, or its channel is not one that this prefix allows. */
    @Nullable
    static WaitQuestion read(KeyPrefix prefix, String text) {
        List<String> words = List.of(text.split(" ", -1));
        if (words.size() < FIXED_WORDS
                || words.size() > FIXED_WORDS + MOST_THREADS
                || !words.get(0).equals(WORD)
                || !words.get(2).startsWith(prefix.value() + ":w:")) {
            return null;
        }
        Set<Long> threads = new HashSet<>();
        for (String word : words.subList(FIXED_WORDS, words.size())) {
            if (!word.matches("\\d{1,18}")) {
                return null;
            }
            threads.add(Long.parseLong(word));
        }
        return new WaitQuestion(words.get(1), words.get(2), threads);
    }
}
