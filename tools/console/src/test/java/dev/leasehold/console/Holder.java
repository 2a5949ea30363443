package dev.leasehold.console;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that holds a lock until its standard input ends, and acquires each further one that a line of it names. */
public final class Holder {

    private Holder() {}

    public static void main(String[] args) throws Exception {
        try (Leasehold leasehold =
                        Leasehold.builder().uri(args[0]).shareStacks(true).build();
                Lease lease = leasehold.lock(args[1]).acquire()) {
            BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String name = names.readLine(); name != null; name = names.readLine()) {
                leasehold.lock(name).acquire();
            }
        }
    }

    static Process start(String uri, String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Holder.class.getName(),
                        uri,
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Lets a holder acquire one more lock. */
    static void acquire(Process holder, String name) throws IOException {
        holder.getOutputStream().write((name + "\n").getBytes(StandardCharsets.UTF_8));
        holder.getOutputStream().flush();
    }
}
