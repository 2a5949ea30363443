package dev.leasehold.console;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import java.io.IOException;
import java.nio.file.Path;

/** A process that holds a lock until its standard input ends. */
public final class Holder {

    private Holder() {}

    public static void main(String[] args) throws Exception {
        try (Leasehold leasehold = Leasehold.connect(args[0]);
                Lease lease = leasehold.lock(args[1]).acquire()) {
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
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
}
