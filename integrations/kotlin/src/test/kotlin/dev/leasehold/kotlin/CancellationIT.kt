package dev.leasehold.kotlin

import dev.leasehold.LeaseLostException
import dev.leasehold.Leasehold
import dev.leasehold.event.AcquiredEvent
import dev.leasehold.event.LeaseholdListener
import dev.leasehold.testkit.EmbeddedRedis
import dev.leasehold.testkit.WithRedis
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test

/** A coroutine that is cancelled leaves no lock behind, whatever it was doing. */
@WithRedis
class CancellationIT(redis: EmbeddedRedis) : TwoClients(redis) {
    private val acquired = AtomicInteger()

    override fun newClient(): Leasehold = Leasehold.builder().uri(redis.uri()).listener(object : LeaseholdListener {
        override fun acquired(event: AcquiredEvent) {
            acquired.incrementAndGet()
        }
    }).build()

    private fun free() = isFree("report")

    @Test
    fun beforeTheRequestItSendsNone() {
        runBlocking {
            launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext.cancel()
                client.lock("report").withLease { error("must not run") }
            }.join()
        }
        assertThat(redis.command("EXISTS", "leasehold:{report}")).isEqualTo(0L)
        assertThat(acquired).hasValue(0)
    }

    @Test
    fun whileItWaitsItDoesNotAcquireTheLock() {
        val held = otherClient.lock("report").acquire()
        runBlocking {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) { client.lock("report").withLease { } }
            waiting.cancelAndJoin()
        }
        held.close()
        await().until { free() }
        otherClient.lock("report").tryAcquire().orElseThrow().close()
    }

    @Test
    fun whenItsLeaseHasArrivedItHasReleasedTheLockAtItsEnd() {
        val held = otherClient.lock("report").acquire()
        runBlocking {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
                client.lock("report").withLease { error("must not run") }
            }
            held.close()
            await().until { acquired.get() == 1 } // in this thread, so that the coroutine cannot continue
            waiting.cancelAndJoin()
            assertThat(free()).isTrue()
        }
    }

    @Test
    fun inItsBlockItHasReleasedTheLockAtItsEnd() {
        runBlocking {
            var begun = false
            val working = launch(start = CoroutineStart.UNDISPATCHED) {
                client.lock("report").withLease {
                    begun = true
                    awaitCancellation()
                }
            }
            while (!begun) {
                yield()
            }
            working.cancelAndJoin()
            assertThat(free()).isTrue()
        }
    }

    @Test
    fun duringTheReleaseItHasReleasedTheLockAtItsEnd() {
        runBlocking {
            val working = launch(start = CoroutineStart.UNDISPATCHED) {
                client.lock("report").withLease {
                    coroutineContext[kotlinx.coroutines.Job]!!.invokeOnCompletion { this@launch.cancel() }
                }
            }
            working.join()
            assertThat(working.isCancelled).isTrue()
            assertThat(free()).isTrue()
        }
    }

    @Test
    fun aTimeoutAroundTheBlockEndsTheWaitAndTheWork() {
        otherClient.lock("report").acquire().use {
            assertThatThrownBy { runBlocking { withTimeout(50.milliseconds) { client.lock("report").withLease { } } } }
                .isInstanceOf(TimeoutCancellationException::class.java)
        }
        assertThatThrownBy {
            runBlocking { withTimeout(500.milliseconds) { client.lock("report").withLease { awaitCancellation() } } }
        }.isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(free()).isTrue()
    }

    @Test
    fun theFailureOfASiblingReleasesTheLock() {
        assertThatThrownBy {
            runBlocking {
                coroutineScope {
                    launch(start = CoroutineStart.UNDISPATCHED) {
                        client.lock("report").withLease {
                            this@coroutineScope.launch { throw IllegalStateException("sibling") }
                            awaitCancellation()
                        }
                    }
                }
            }
        }.hasMessage("sibling")
        assertThat(free()).isTrue()
    }

    @Test
    fun doesNotHideALoss() {
        assertThatThrownBy {
            runBlocking {
                coroutineScope {
                    launch(start = CoroutineStart.UNDISPATCHED) {
                        client.lock("report").withLease { lease ->
                            otherClient.lock("report").forceRelease()
                            lease.onLost(this@runBlocking) { this@coroutineScope.cancel() }
                            awaitCancellation()
                        }
                    }
                }
            }
        }.isInstanceOf(LeaseLostException::class.java)
    }

    /** Coroutines of two clients are cancelled at any moment: exclusion holds, and the lock is free at the end. */
    @Test
    fun atAnyMomentLeavesTheLockFree() {
        val inside = AtomicInteger()
        val random = Random(27)
        val overlaps = AtomicInteger()
        val runs = AtomicInteger()
        repeat(60) {
            val yields = List(6) { random.nextInt(200) }
            runBlocking(Dispatchers.Default) {
                yields.mapIndexed { i, n ->
                    launch {
                        val lock = (if (i % 2 == 0) client else otherClient).lock("report")
                        val working = launch {
                            lock.withLease(20.seconds) {
                                if (inside.incrementAndGet() > 1) {
                                    overlaps.incrementAndGet()
                                }
                                try {
                                    runs.incrementAndGet()
                                    yield()
                                } finally {
                                    inside.decrementAndGet()
                                }
                            }
                        }
                        repeat(n) { yield() }
                        working.cancelAndJoin()
                    }
                }.joinAll()
            }
        }
        assertThat(overlaps).hasValue(0)
        assertThat(runs.get()).isPositive()
        await().until { free() }
    }
}
