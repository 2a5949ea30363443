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

/** Blocks that suspend, under leases, on a real server. */
@WithRedis
class WithLeaseIT(private val redis: EmbeddedRedis) {
    private val acquired = AtomicInteger()
    private lateinit var mine: Leasehold
    private lateinit var theirs: Leasehold

    @BeforeEach
    fun connect() {
        mine = Leasehold.builder().uri(redis.uri()).listener(object : LeaseholdListener {
            override fun acquired(event: AcquiredEvent) {
                acquired.incrementAndGet()
            }
        }).build()
        theirs = Leasehold.connect(redis.uri())
    }

    @AfterEach
    fun close() {
        mine.close()
        theirs.close()
    }

    private fun free() = theirs.lock("report").inspect().isEmpty

    @Test
    fun aBlockRunsUnderTheLockAndGivesItsResult() {
        val token = runBlocking {
            mine.lock("report").withLease { lease ->
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
            runBlocking { mine.lock("report").withLease { throw IllegalArgumentException("no paper") } }
        }.hasMessage("no paper")
        assertThat(free()).isTrue()
    }

    @Test
    fun twoCoroutinesOfOneThreadKeepEachOtherOut() {
        var inside = 0
        var most = 0
        runBlocking {
            repeat(10) {
                launch {
                    mine.lock("report").withLease {
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
    fun whoDoesNotGetTheLockInTimeIsTold() {
        theirs.lock("report").acquire().use {
            assertThatThrownBy { runBlocking { mine.lock("report").withLease(50.milliseconds) { } } }
                .isInstanceOf(LockNotAcquiredException::class.java)
        }
        runBlocking { mine.lock("report").withLease(5.seconds) { } }
    }

    @Test
    fun aCoroutineThatIsCancelledWhileItWaitsTakesNothing() {
        val held = theirs.lock("report").acquire()
        runBlocking {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) { mine.lock("report").withLease { } }
            waiting.cancelAndJoin()
        }
        held.close()
        await().until { free() }
        theirs.lock("report").tryAcquire().orElseThrow().close()
    }

    @Test
    fun aLeaseThatComesWhenItsCoroutineIsCancelledIsGivenBack() {
        val held = theirs.lock("report").acquire()
        runBlocking {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
                mine.lock("report").withLease { error("must not run") }
            }
            held.close()
            await().until { acquired.get() == 1 } // in this thread, so that the coroutine cannot go on
            waiting.cancelAndJoin()
        }
        await().until { free() }
    }

    @Test
    fun aCoroutineThatIsCancelledInItsBlockGivesTheLockBack() {
        runBlocking {
            val working = launch(start = CoroutineStart.UNDISPATCHED) {
                mine.lock("report").withLease { awaitCancellation() }
            }
            while (free()) {
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
                mine.lock("report").with(options).withLease {
                    theirs.lock("report").forceRelease()
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
