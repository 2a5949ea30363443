package dev.leasehold.kotlin

import dev.leasehold.LeaseLostException
import dev.leasehold.Leasehold
import dev.leasehold.LockNotAcquiredException
import dev.leasehold.LockOptions
import dev.leasehold.event.AcquiredEvent
import dev.leasehold.event.LeaseholdListener
import dev.leasehold.testkit.EmbeddedRedis
import dev.leasehold.testkit.WithRedis
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

/** Suspending blocks under leases, on a real server. */
@WithRedis
class WithLeaseIT(private val redis: EmbeddedRedis) {
    private val acquired = AtomicInteger()
    private lateinit var client: Leasehold
    private lateinit var otherClient: Leasehold

    @BeforeEach
    fun connect() {
        client = Leasehold.builder().uri(redis.uri()).listener(object : LeaseholdListener {
            override fun acquired(event: AcquiredEvent) {
                acquired.incrementAndGet()
            }
        }).build()
        otherClient = Leasehold.connect(redis.uri())
    }

    @AfterEach
    fun close() {
        client.close()
        otherClient.close()
    }

    private fun free() = otherClient.lock("report").inspect().isEmpty

    @Test
    fun aBlockRunsUnderTheLockAndReturnsItsResult() {
        val token = runBlocking {
            client.lock("report").withLease { lease ->
                assertThat(free()).isFalse()
                lease.fencingToken()
            }
        }
        assertThat(token).isPositive()
        assertThat(free()).isTrue()
    }

    @Test
    fun aBlockThatFailsLeavesTheLockFree() {
        assertThatThrownBy {
            runBlocking { client.lock("report").withLease { throw IllegalArgumentException("no paper") } }
        }.hasMessage("no paper")
        assertThat(free()).isTrue()
    }

    @Test
    fun twoCoroutinesOfOneThreadExcludeEachOther() {
        var inside = 0
        var most = 0
        runBlocking {
            repeat(10) {
                launch {
                    client.lock("report").withLease {
                        inside++
                        most = maxOf(most, inside)
                        yield()
                        inside--
                    }
                }
            }
        }
        assertThat(most).isEqualTo(1)
    }

    @Test
    fun aCallerThatDoesNotAcquireTheLockInTimeGetsAnException() {
        otherClient.lock("report").acquire().use {
            assertThatThrownBy { runBlocking { client.lock("report").withLease(50.milliseconds) { } } }
                .isInstanceOf(LockNotAcquiredException::class.java)
        }
        runBlocking { client.lock("report").withLease(5.seconds) { } }
    }

    @Test
    fun aCoroutineThatIsCancelledWhileItWaitsDoesNotAcquireTheLock() {
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
    fun aLeaseThatArrivesAfterItsCoroutineWasCancelledIsReleased() {
        val held = otherClient.lock("report").acquire()
        runBlocking {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
                client.lock("report").withLease { error("must not run") }
            }
            held.close()
            await().until { acquired.get() == 1 } // in this thread, so that the coroutine cannot continue
            waiting.cancelAndJoin()
        }
        await().until { free() }
    }

    @Test
    fun aCoroutineThatIsCancelledInItsBlockReleasesTheLock() {
        runBlocking {
            var begun = false
            val working = launch(start = CoroutineStart.UNDISPATCHED) {
                client.lock("report").withLease {
                    begun = true
                    awaitCancellation()
                }
            }
            // Not until Redis has the hold: a coroutine that is cancelled before its block begins releases in the background.
            while (!begun) {
                yield()
            }
            working.cancelAndJoin()
        }
        assertThat(free()).isTrue()
    }

    @Test
    fun aLossCancelsTheBlockAndIsThrown() {
        val options = LockOptions.builder().leaseTime(Duration.ofMillis(600)).build()
        var cancelled = false
        assertThatThrownBy {
            runBlocking {
                client.lock("report").with(options).withLease {
                    otherClient.lock("report").forceRelease()
                    try {
                        withTimeout(20.seconds) { awaitCancellation() }
                    } catch (e: CancellationException) {
                        cancelled = e !is TimeoutCancellationException
                        throw e
                    }
                }
            }
        }.isInstanceOf(LeaseLostException::class.java)
        assertThat(cancelled).isTrue()
    }
}
