package dev.leasehold.cli.internal.demo;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.cli.internal.Text;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of a player's process. It reads orders from standard input and writes records to standard output. It
 * ends when its standard input ends, so it never outlives the director.
 */
public final class PlayerMain {

    /** The environment variable with the URI. A command line would show it to every user of the machine. */
    static final String URI_VARIABLE = "LEASEHOLD_DEMO_REDIS";

    private PlayerMain() {}

    /**
     * Plays until standard input ends.
     *
     * @param args the number of the player, the key prefix, and the lease in milliseconds, 0 for no lock at all
     */
    public static void main(String[] args) {
        int number = Integer.parseInt(args[0]);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BlockingQueue<String> orders = Orders.listen();
        String uri = System.getenv(URI_VARIABLE);
        try (Lottery lottery = Lottery.open(uri, args[1]);
                Leasehold leasehold = client(uri, args[1], Duration.ofMillis(Long.parseLong(args[2])))) {
            new Player(number, lottery, orders, entry -> out.println(entry.format())).play(leasehold);
        } catch (Exception e) {
            String message = Text.line(e.getClass().getSimpleName() + ": " + e.getMessage());
            out.println(Note.of(Event.FAILED, number, 0, message).format());
        }
        Runtime.getRuntime().halt(0);
    }

    private static @Nullable Leasehold client(String uri, String prefix, Duration lease) {
        if (lease.isZero()) {
            return null;
        }
        return Leasehold.builder()
                .uri(uri)
                .keyPrefix(prefix)
                .clientName("leasehold-demo")
                .preflight(LeaseholdBuilder.Preflight.OFF)
                .defaults(Player.options(lease))
                .build();
    }
}
