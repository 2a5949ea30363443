package dev.leasehold.chaos.fault;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Drops packets from and to servers, in the kernel, by nftables. Only in a network namespace of the run's own,
 * whose loopback no other program uses. Each server makes outgoing connections from an address of its own, which
 * depends on its process id, so that servers can be distinguished from clients. Thread-safe.
 */
final class Partitions {

    private static final Path NFT = Path.of("/usr/sbin/nft");
    private static final int BUS = 10_000;
    private static final Set<PosixFilePermission> PROGRAM = PosixFilePermissions.fromString("rwx------");

    /** Clients have the address 127.0.0.1; the outgoing connections of servers and sentinels have others. */
    private static final String RULES = """
            table ip chaos {
                set requests { type inet_service; }
                set replies { type inet_service; }
                set both { type inet_service; }
                set both_hosts { type ipv4_addr; }
                set servers { type inet_service; }
                set servers_hosts { type ipv4_addr; }
                chain input {
                    type filter hook input priority 0;
                    tcp dport @requests drop
                    tcp sport @replies drop
                    tcp dport @both drop
                    tcp sport @both drop
                    ip saddr @both_hosts drop
                    ip daddr @both_hosts drop
                    ip saddr != 127.0.0.1 tcp dport @servers drop
                    ip daddr != 127.0.0.1 tcp sport @servers drop
                    ip saddr @servers_hosts drop
                    ip daddr @servers_hosts drop
                }
            }
            """;

    private static final String SERVER = """
            #!/bin/sh
            if [ -f "$1" ]; then
                config=$1
                shift
                if [ "$*" = --sentinel ]; then
                    grep -q announce-ip "$config" || echo 'sentinel announce-ip 127.0.0.1' >>"$config"
                else
                    set -- "$@" --replica-announce-ip 127.0.0.1
                fi
                # Redis takes 127.0.0.1 alone for this machine.
                set -- "$config" "$@" --protected-mode no --bind-source-addr 127.1.$(($$ / 256 % 256)).$(($$ % 256))
            fi
            exec 'SERVER' "$@"
            """;

    /** The part of a server's traffic that is dropped. */
    enum Cut {
        /** The packets to its port, and nothing else: a client that has sent a request waits for an answer. */
        REQUESTS(false),
        /** The packets from its port. */
        REPLIES(false),
        /** Everything. */
        BOTH(true),
        /** All traffic between it and other servers, while clients reach it. */
        SERVERS(true);

        /** True if its outgoing connections are dropped too. */
        private final boolean outgoing;

        Cut(boolean outgoing) {
            this.outgoing = outgoing;
        }
    }

    /** A cut that is in force. */
    static final class Dropped {
        private final List<String> elements = new ArrayList<>();

        private Dropped(EmbeddedRedis node, Cut cut) {
            String set = cut.name().toLowerCase(Locale.ROOT);
            elements.add(set + " { " + node.port() + ", " + (node.port() + BUS) + " }");
            if (cut.outgoing) {
                elements.add(set + "_hosts { " + address(node.pid()) + " }");
            }
            change("add");
        }

        /** Ends the cut. */
        void end() {
            change("delete");
        }

        private void change(String what) {
            nft(elements.stream()
                    .map(element -> what + " element ip chaos " + element)
                    .collect(Collectors.joining("; ")));
        }
    }

    private Partitions() {}

    /**
     * Returns whether there is no network but the loopback, as in a network namespace of the run's own, and
     * nftables is available.
     */
    static boolean possible() {
        try {
            return Files.isExecutable(NFT)
                    && NetworkInterface.networkInterfaces().allMatch(Partitions::isLoopback);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLoopback(NetworkInterface one) {
        try {
            return one.isLoopback();
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins, with nothing dropped. */
    static Partitions start() {
        nft(RULES);
        return new Partitions();
    }

    /** Returns a program that runs this server with an address of its own for outgoing connections. */
    Path server(String executable, Path program) throws IOException {
        Files.createFile(program, PosixFilePermissions.asFileAttribute(PROGRAM));
        return Files.writeString(program, SERVER.replace("SERVER", executable));
    }

    /** Drops this traffic; no cut of the same kind and server is in force yet. */
    Dropped begin(EmbeddedRedis node, Cut cut) {
        return new Dropped(node, cut);
    }

    /** Ends all cuts. */
    void end() {
        nft("delete table ip chaos");
    }

    private static String address(long pid) {
        return "127.1." + pid / 256 % 256 + "." + pid % 256;
    }

    /** Executes all of the commands, or none. */
    private static void nft(String commands) {
        try {
            Process nft = new ProcessBuilder(NFT.toString(), "-f", "-")
                    .redirectErrorStream(true)
                    .start();
            try (var input = nft.getOutputStream()) {
                input.write(commands.getBytes(StandardCharsets.UTF_8));
            }
            String said = new String(nft.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (nft.waitFor() != 0) {
                throw new IllegalStateException("nft refuses " + commands + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
