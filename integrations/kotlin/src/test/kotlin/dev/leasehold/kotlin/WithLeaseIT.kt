package dev.leasehold.kotlin

import dev.leasehold.LeaseLostException
import dev.leasehold.LockNotAcquiredException
import dev.leasehold.testkit.EmbeddedRedis
import dev.leasehold.testkit.WithRedis
import io.netty.channel.DefaultEventLoop
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Suspending blocks under leases, on a real server. */
@WithRedis
class WithLeaseIT(redis: EmbeddedRedis) : TwoClients(redis) {
    private fun free() = isFree("report")

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
            assertThatThrownBy { runBlocking { client.lock("report").withLease(300.milliseconds) { } } }
                .isInstanceOf(LockNotAcquiredException::class.java)
        }
        runBlocking { client.lock("report").withLease(5.seconds) { } }
    }

    @Test
    fun aCallerThatFindsTheLockTakenGetsNull() {
        otherClient.lock("report").acquire().use {
            assertThat(runBlocking { client.lock("report").withLeaseOrNull { "ran" } }).isNull()
            assertThat(runBlocking { client.lock("report").withLeaseOrNull(300.milliseconds) { "ran" } }).isNull()
        }
        // With a time: the lock may still be kept for the place of the second caller, which is given up in the background.
        assertThat(runBlocking { client.lock("report").withLeaseOrNull(10.seconds) { "ran" } }).isEqualTo("ran")
        assertThat(free()).isTrue()
    }

    @Test
    fun anInfiniteTimeWaitsWithoutALimitAndANegativeOneIsRefused() {
        assertThat(runBlocking { client.lock("report").withLease(Duration.INFINITE) { "ran" } }).isEqualTo("ran")
        assertThatThrownBy { runBlocking { client.lock("report").withLease((-1).milliseconds) { } } }
            .isInstanceOf(IllegalArgumentException::class.java)
    }

    @Test
    fun theLockIsHeldUntilTheCoroutinesOfTheBlockHaveEnded() {
        var heldByChild = false
        runBlocking {
            client.lock("report").withLease { lease ->
                launch {
                    yield()
                    heldByChild = lease.isHeld
                }
            }
        }
        assertThat(heldByChild).isTrue()
        assertThat(free()).isTrue()
    }

    @Test
    fun severalLocksAndPermitsHaveBlocksToo() {
        runBlocking {
            client.allOf("report", "archive").withLease { lease ->
                assertThat(lease.fencingToken("report")).isPositive()
                assertThat(free()).isFalse()
            }
            client.semaphore("printer", 2).withLease {
                assertThat(client.semaphore("printer", 2).availablePermits()).isEqualTo(1)
            }
        }
    }

    @Test
    fun anExceptionOfTheBlockCarriesTheLossAsSuppressed() {
        assertThatThrownBy {
            runBlocking {
                client.lock("report").withLease {
                    otherClient.lock("report").forceRelease()
                    try {
                        awaitCancellation()
                    } catch (e: CancellationException) {
                        throw IllegalArgumentException("no paper", e)
                    }
                }
            }
        }.hasMessage("no paper").satisfies({ assertThat(it.suppressed).hasAtLeastOneElementOfType(LeaseLostException::class.java) })
    }

    @Test
    fun aLossCancelsTheBlockAndIsThrown() {
        var cancelled = false
        assertThatThrownBy {
            runBlocking {
                client.lock("report").with { leaseTime(2.seconds) }.withLease {
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

    /** As the calls of Ktor's and other servers over Netty. */
    @Test
    fun aBlockRunsOnAnEventLoopThatTheBlockingCallsRefuse() {
        val loop = DefaultEventLoop()
        try {
            val token = runBlocking(loop.asCoroutineDispatcher()) {
                client.lock("report").withLease { it.fencingToken() }
            }
            assertThat(token).isPositive()
            assertThat(free()).isTrue()
            assertThatThrownBy { runBlocking(loop.asCoroutineDispatcher()) { client.lock("report").tryAcquire() } }
                .isInstanceOf(IllegalStateException::class.java)
                .hasMessageContaining("would block the event loop")
            assertThat(free()).isTrue()
        } finally {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS)
        }
    }
}
