package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsIT {

    /** A JVM that takes a free port, prints it, and ends with its standard input. */
    static final class Taker {
        public static void main(String[] args) throws IOException {
            System.out.println(FreePorts.next());
            assertThat(System.in.read()).isEqualTo(-1);
        }
    }

    @Test
    void noPortIsGivenTwiceEvenIfNothingListensOnIt() {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            assertThat(ports.add(FreePorts.next())).isTrue();
        }
    }

    @Test
    void aReleasedPortMayBeReservedAgain() {
        int port = FreePorts.next();
        assertThat(PortReservations.reserve(port)).isFalse();
        FreePorts.release(port);
        assertThat(PortReservations.reserve(port)).isTrue();
        FreePorts.release(port);
    }

    @Test
    void thePortOfAnotherJvmIsReservedUntilThatEnds() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Taker.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            int port = Integer.parseInt(out.readLine());
            assertThat(FreePorts.isFree(port)).isTrue();
            assertThat(PortReservations.reserve(port)).isFalse();
            other.getOutputStream().close();
            assertThat(other.waitFor()).isZero();
            assertThat(PortReservations.reserve(port)).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }
}
