package dev.leasehold.drill.scenario;

import dev.leasehold.drill.site.Instance;
import dev.leasehold.drill.site.RedisSite;
import dev.leasehold.drill.site.Site;
import dev.leasehold.drill.watch.Waits;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The faults. */
final class Faults {

    private static final int SOME = 100;
    private static final Duration BLACKOUT = Duration.ofSeconds(20);
    /** Longer than a lease, so that the others get the locks of a frozen instance. */
    private static final Duration FREEZE = Instance.LEASE.plusSeconds(2);
    /** Longer than requests wait for their lock, 4 s, and shorter than the time after which Sentinel replaces the primary, 6 s. */
    private static final String SLOW_SECONDS = "4.8";

    private Faults() {}

    static void none(Site site) {
        site.awaitAnswers(5 * SOME);
    }

    /** As a rollout does: the load balancer stops sending requests, and SIGTERM meets one that holds a lock. */
    static void rollingRestart(Site site) throws IOException, InterruptedException {
        for (Instance instance : site.instances()) {
            site.load().drain(instance.name());
            site.beginAudit(instance);
            instance.terminate();
            site.startAgain(instance);
            site.load().restore(instance.name());
            site.awaitAnswers(SOME / 2);
        }
    }

    static void kill(Site site) {
        Instance victim = site.instances().get(0);
        victim.kill();
        site.awaitAnswers(SOME);
        site.startAgain(victim);
    }

    static void freeze(Site site) throws IOException, InterruptedException {
        Instance victim = site.instances().get(1);
        victim.signal("STOP");
        try {
            Waits.pass(FREEZE);
        } finally {
            victim.signal("CONT");
        }
    }

    static void failOver(Site site) {
        site.redis().group().failOver();
        site.redis().awaitHealthy();
    }

    static void killPrimary(Site site) {
        EmbeddedRedis former = site.redis().primary();
        former.kill();
        site.redis().group().awaitSuccessor(former);
        former.restart();
        site.redis().awaitHealthy();
    }

    /** The servers are killed and started again with their data. */
    static void noRedis(Site site) throws InterruptedException {
        List<EmbeddedRedis> nodes = new ArrayList<>(site.redis().group().nodes());
        EmbeddedRedis primary = site.redis().primary();
        nodes.remove(primary);
        nodes.add(0, primary);
        nodes.forEach(EmbeddedRedis::kill);
        Waits.pass(BLACKOUT);
        nodes.forEach(EmbeddedRedis::restart);
        site.redis().awaitHealthy();
    }

    static void killConnections(Site site) {
        site.redis().onAll("CLIENT", "KILL", "USER", RedisSite.USER);
        site.awaitAnswers(SOME);
    }

    static void slowServer(Site site) {
        site.redis().primary().command("DEBUG", "SLEEP", SLOW_SECONDS);
        site.awaitAnswers(SOME);
    }

    static void fullMemory(Site site) {
        EmbeddedRedis primary = site.redis().primary();
        primary.command("CONFIG", "SET", "maxmemory", "1");
        try {
            untilUnavailable(site);
        } finally {
            primary.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    static void removeRight(Site site) {
        site.redis().onAll("ACL", "SETUSER", RedisSite.USER, "-pexpireat");
        try {
            untilUnavailable(site);
        } finally {
            site.redis().onAll("ACL", "SETUSER", RedisSite.USER, "+pexpireat");
        }
    }

    /** Until an operator would know. */
    private static void untilUnavailable(Site site) {
        Waits.until(
                "the alert on failed acquisitions fires",
                () -> site.prometheus().active().contains(Scenarios.UNAVAILABLE));
        Waits.until("health says that locks cannot be had", () -> site.health().allDown());
        site.awaitAnswers(SOME);
    }

    static void rotatePassword(Site site) throws IOException {
        site.redis().rotatePassword();
        site.redis().onAll("CLIENT", "KILL", "USER", RedisSite.USER);
        site.awaitAnswers(SOME);
    }
}
