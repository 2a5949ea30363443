package dev.leasehold.examples.quickstart.tutorial;

// example: tutorial-draw
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.fencing.JdbcFenceColumn;
import dev.leasehold.fencing.StaleTokenException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;

/** Writes the winners, which its argument names, once you press Enter. */
final class Draw {

    public static void main(String[] args) throws Exception {
        JdbcFenceColumn lottery = JdbcFenceColumn.of("lottery", "fence", "draw_day"); // table, column, key
        try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379");
                Lease lease = leasehold.lock("lottery:2026-11-21").acquire(Duration.ofMinutes(2))) {
            System.out.println("held, with token " + lease.fencingToken() + ": press Enter to write");
            System.in.read();
            try (Connection database = DriverManager.getConnection("jdbc:h2:./target/lottery")) {
                lottery.row("2026-11-21").update(database, lease.fencingToken(), "winners = ?", args[0]);
                System.out.println("written");
            } catch (StaleTokenException e) {
                System.out.println("refused: " + e.getMessage());
            }
        } catch (LeaseLostException e) { // thrown by close(): the work was not under the lock to its end
            System.out.println("lost: " + e.getMessage());
        }
    }
}
// end
