package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Diagnostics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A password of every character is in nothing that a client throws, logs, prints or records. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it needs a user of its own on one server")
class SecretsContract extends ContractBase {

    private static final String FIRST = "s3cBegin";
    private static final String LAST = "s3cFinish";

    /** All that ASCII can print, and some that it cannot. Redis takes passwords of any bytes. */
    private static final String PASSWORD = FIRST
            + IntStream.rangeClosed(' ', '~').mapToObj(Character::toString).collect(Collectors.joining()) + "é彩🔒"
            + LAST;

    /** The characters that a URI may have in a password as they are, besides letters and digits, also those that a pattern may end at. */
    private static final String PLAIN = "-._~!$&'()*+,;=:é彩";

    private static final List<String> FLIGHTS = List.of("Acquire", "Wait", "NotAcquired", "Hold", "Renew", "Loss");

    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void addUsers() {
        server().command("ACL", "SETUSER", "app", "on", ">" + PASSWORD, "~*", "&*", "+@all");
        server().command("ACL", "SETUSER", "bare", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-eval", "-evalsha");
    }

    @AfterEach
    void removeUsers() {
        server().command("ACL", "DELUSER", "app", "bare");
    }

    private String uri(String user, String password, int port) {
        String encoded = password.codePoints()
                .mapToObj(Character::toString)
                .map(c -> c.matches("[A-Za-z0-9]") || PLAIN.contains(c) ? c : percent(c))
                .collect(Collectors.joining());
        return "redis://" + user + ":" + encoded + "@" + server().host() + ":" + port;
    }

    private static String percent(String character) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : character.getBytes(StandardCharsets.UTF_8)) {
            encoded.append(String.format("%%%02x", b));
        }
        return encoded.toString();
    }

    @Test
    void areInNothingThatAClientSays() throws Exception {
        try (CapturedLog log = new CapturedLog(getClass());
                Recording flight = new Recording()) {
            FLIGHTS.forEach(event -> flight.enable("dev.leasehold." + event).withoutThreshold());
            flight.start();
            use();
            failures();
            flight.stop();
            said.addAll(log.messages());
            said.addAll(recorded(flight));
        }
        assertThat(said)
                .hasSizeGreaterThan(20)
                .anyMatch(text -> text.contains("WRONGPASS"))
                .anyMatch(text -> text.contains("dev.leasehold.Acquire"))
                .noneMatch(text -> text.contains(FIRST) || text.contains(LAST));
    }

    private void use() throws Exception {
        Leasehold leasehold = client(uri("app", PASSWORD, server().port()), builder -> {});
        DistributedLock lock = leasehold.lock(name());
        try (Lease lease = lock.acquire()) {
            assertThat(leasehold.inspector().address()).isNotEmpty();
            said.addAll(List.of(leasehold.toString(), lock.toString(), lease.toString()));
            said.add(leasehold.inspector().address());
            said.add(leasehold.inspector().locks().toString());
            said.add(Diagnostics.of(leasehold).findings().toString());
            said.add(Diagnostics.of(leasehold).waitGraph().toString());
            Thread.getAllStackTraces().keySet().forEach(thread -> said.add(thread.getName()));
        }
    }

    private void failures() {
        told(() -> client(uri("app", PASSWORD + "x", server().port()), builder -> {}));
        // Nobody listens on port 1.
        told(() -> client(uri("app", PASSWORD, 1), builder -> builder.connectTimeout(Duration.ofSeconds(5))));
        Leasehold bare = client(uri("bare", PASSWORD, server().port()), builder -> {});
        told(() -> bare.lock(name()).tryAcquire());
        said.add(Diagnostics.of(bare).findings().toString());
    }

    private void told(Executable call) {
        Throwable thrown = catchThrowable(call::execute);
        assertThat(thrown).isInstanceOf(RuntimeException.class);
        StringWriter all = new StringWriter();
        thrown.printStackTrace(new PrintWriter(all));
        said.add(all.toString());
    }

    private List<String> recorded(Recording flight) throws IOException {
        Path file = Files.createTempFile("leasehold-flight", ".jfr");
        try {
            flight.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .map(Object::toString)
                    .toList();
        } finally {
            Files.delete(file);
        }
    }
}
