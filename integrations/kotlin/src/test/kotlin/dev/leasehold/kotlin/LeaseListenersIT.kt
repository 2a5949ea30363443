package dev.leasehold.kotlin

import dev.leasehold.LeaseLostException
import dev.leasehold.Renewal
import dev.leasehold.event.LossCause
import dev.leasehold.event.LossEvent
import dev.leasehold.testkit.EmbeddedRedis
import dev.leasehold.testkit.WithRedis
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Listeners of a lease that suspend, on a real server. */
@WithRedis
class LeaseListenersIT(redis: EmbeddedRedis) : TwoClients(redis) {
    /** A lock that is renewed often, and held for long if the machine stalls. */
    private fun lock() = client.lock("report").with { leaseTime(10.seconds).renewal(Renewal.afterRatio(0.05)) }

    @Test
    fun aRequestToReleaseEndsTheWorkByAListenerThatSuspends() {
        val done = runBlocking {
            lock().withLease { lease ->
                val work = launch { awaitCancellation() }
                lease.onReleaseRequested(this) { event ->
                    yield()
                    assertThat(event.fencingToken()).isEqualTo(lease.fencingToken())
                    assertThat(lease.isHeld).isTrue()
                    work.cancel()
                }
                assertThat(otherClient.lock("report").requestRelease()).isTrue()
                work.join()
                "done"
            }
        }
        assertThat(done).isEqualTo("done")
        assertThat(otherClient.lock("report").inspect()).isEmpty()
    }

    @Test
    fun aBlockWithAListenerEndsWithoutARequest() {
        val result = runBlocking {
            lock().withLease { lease ->
                lease.onReleaseRequested(this) { error("nobody asks") }
                lease.onLost(this) { error("nothing is lost") }
                "done"
            }
        }
        assertThat(result).isEqualTo("done")
    }

    @Test
    fun theLockIsHeldUntilAListenerThatHasBegunEnds() {
        runBlocking {
            val begun = CompletableDeferred<Unit>()
            val release = CompletableDeferred<Unit>()
            val working = launch {
                lock().withLease { lease ->
                    lease.onReleaseRequested(this) {
                        begun.complete(Unit)
                        release.await()
                        assertThat(lease.isHeld).isTrue()
                    }
                    otherClient.lock("report").requestRelease()
                    begun.await()
                }
            }
            begun.await()
            yield()
            assertThat(otherClient.lock("report").inspect()).isPresent()
            release.complete(Unit)
            working.join()
        }
        assertThat(otherClient.lock("report").inspect()).isEmpty()
    }

    @Test
    fun aListenerOfALossSuspendsInTheScopeAroundTheBlock() {
        runBlocking {
            val seen = CompletableDeferred<LossEvent>()
            val around = this
            try {
                lock().withLease { lease ->
                    lease.onLost(around) { event ->
                        yield()
                        seen.complete(event)
                    }
                    otherClient.lock("report").forceRelease()
                    awaitCancellation()
                }
            } catch (e: LeaseLostException) {
                assertThat(e.lossCause()).isEqualTo(LossCause.DELETED)
            }
            // Meanwhile the scope has not ended.
            assertThat(seen.await().cause()).isEqualTo(LossCause.DELETED)
        }
    }

    @Test
    fun aLossThatHappenedBeforeIsReported() {
        val lease = lock().acquire()
        otherClient.lock("report").forceRelease()
        runBlocking {
            while (lease.isHeld) {
                yield()
            }
            val seen = CompletableDeferred<LossEvent>()
            lease.onLost(this) { seen.complete(it) }
            assertThat(seen.await().lockName()).isEqualTo("report")
        }
    }

    @Test
    fun aScopeThatHasEndedCallsNoListener() {
        val ended = CoroutineScope(Job()).apply { cancel() }
        var called = false
        lock().acquire().let { lease ->
            lease.onLost(ended) { called = true }
            val seen = CompletableDeferred<LossEvent>()
            runBlocking {
                lease.onLost(this) { seen.complete(it) }
                otherClient.lock("report").forceRelease()
                seen.await()
            }
        }
        assertThat(called).isFalse()
    }

    @Test
    fun anExceptionOfAListenerFailsItsScope() {
        assertThatThrownBy {
            runBlocking {
                lock().withLease { lease ->
                    lease.onReleaseRequested(this) { throw IllegalArgumentException("no paper") }
                    otherClient.lock("report").requestRelease()
                    awaitCancellation()
                }
            }
        }.hasMessage("no paper")
        assertThat(otherClient.lock("report").inspect()).isEmpty()
    }
}
