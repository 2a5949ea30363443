package dev.leasehold.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/** The program that {@link PartitionsIT} runs in a network namespace of its own. */
final class CutOff {

    static final String DONE = "all traffic was dropped as it should be";
    private static final int SILENT_MILLIS = 500;

    private CutOff() {}

    public static void main(String[] args) throws IOException {
        try (Site site = Site.start("sentinel", "none", Path.of(args[0]), false)) {
            Partitions partitions = Objects.requireNonNull(site.partitions());

            EmbeddedRedis former = site.sentinel().primary();
            Partitions.Dropped dropped = partitions.begin(former, Partitions.Cut.SERVERS);
            site.sentinel().awaitSuccessor(former);
            assertThat(former.command("SET", "still", "written")).isEqualTo("OK");
            dropped.end();
            site.settle();
            EmbeddedRedis next = site.sentinel().primary();
            assertThat(next).isNotEqualTo(former);
            assertThat(next.command("GET", "still")).isNull();

            for (Partitions.Cut cut :
                    new Partitions.Cut[] {Partitions.Cut.REQUESTS, Partitions.Cut.REPLIES, Partitions.Cut.BOTH}) {
                dropped = partitions.begin(next, cut);
                assertThatThrownBy(() -> connect(next)).as("%s", cut).isInstanceOf(SocketTimeoutException.class);
                dropped.end();
                connect(next);
            }
        }
        System.out.write((DONE + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.flush();
        System.exit(0);
    }

    private static void connect(EmbeddedRedis node) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(node.host(), node.port()), SILENT_MILLIS);
        }
    }
}
