package dev.leasehold.kotlin

import dev.leasehold.LeaseLostException
import dev.leasehold.LockNotAcquiredException
import dev.leasehold.testkit.EmbeddedRedis
import dev.leasehold.testkit.WithRedis
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.single
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Flows that hold a lock while they are collected, on a real server. */
@WithRedis
class LeasedFlowIT(redis: EmbeddedRedis) : TwoClients(redis) {
    private fun free() = isFree("import")

    private fun pages() = client.lock("import").leasedFlow { emitAll(flowOf("one", "two", "three")) }

    @Test
    fun holdsTheLockFromTheFirstElementToTheLastAndNotBefore() {
        val pages = pages()
        assertThat(free()).isTrue()
        val seen = runBlocking { pages.onEach { assertThat(free()).isFalse() }.toList() }
        assertThat(seen).containsExactly("one", "two", "three")
        assertThat(free()).isTrue()
    }

    @Test
    fun eachCollectionHasALeaseOfItsOwn() {
        val tokens = client.lock("import").leasedFlow { lease -> emit(lease.fencingToken()) }
        val first = runBlocking { tokens.single() }
        assertThat(runBlocking { tokens.single() }).isGreaterThan(first)
    }

    @Test
    fun aCollectorThatWantsNoMoreReleasesTheLock() {
        assertThat(runBlocking { pages().first() }).isEqualTo("one")
        assertThat(free()).isTrue()
    }

    @Test
    fun aCollectorThatFailsReleasesTheLockAndItsExceptionIsNotCaughtUpstream() {
        var caught = false
        assertThatThrownBy {
            runBlocking { pages().catch { caught = true }.collect { throw IllegalArgumentException("no paper") } }
        }.hasMessage("no paper")
        assertThat(caught).isFalse()
        assertThat(free()).isTrue()
    }

    @Test
    fun aCollectorThatIsCancelledReleasesTheLock() {
        runBlocking {
            var begun = false
            val collecting = launch {
                pages().collect {
                    begun = true
                    awaitCancellation()
                }
            }
            while (!begun) {
                yield()
            }
            collecting.cancelAndJoin()
            assertThat(free()).isTrue()
        }
    }

    @Test
    fun aLossEndsTheCollectionAndCanBeCaught() {
        val pages = client.lock("import").with { leaseTime(2.seconds) }.leasedFlow { _ -> emit("one") }
        suspend fun lose(element: String) {
            assertThat(element).isEqualTo("one")
            otherClient.lock("import").forceRelease()
            withTimeout(20.seconds) { awaitCancellation() }
        }
        assertThatThrownBy { runBlocking { pages.collect { lose(it) } } }.isInstanceOf(LeaseLostException::class.java)
    }

    @Test
    fun aLossInsideTheFlowIsCaughtDownstream() {
        val pages = client.lock("import").leasedFlow { _ ->
            emit("one")
            otherClient.lock("import").forceRelease()
            awaitCancellation()
        }
        var caught: Throwable? = null
        val seen = runBlocking { pages.catch { caught = it }.toList() }
        assertThat(seen).containsExactly("one")
        assertThat(caught).isInstanceOf(LeaseLostException::class.java)
    }

    @Test
    fun aCollectionThatDoesNotAcquireTheLockInTimeFails() {
        val pages = client.lock("import").leasedFlow(300.milliseconds) { emit("one") }
        otherClient.lock("import").acquire().use {
            assertThatThrownBy { runBlocking { pages.toList() } }.isInstanceOf(LockNotAcquiredException::class.java)
        }
        assertThat(runBlocking { pages.toList() }).containsExactly("one")
    }

    @Test
    fun aBufferKeepsElementsAfterTheRelease() {
        val freeAtTheEnd = runBlocking {
            var last = false
            pages().buffer().collect {
                while (it == "one" && !free()) {
                    yield() // until the flow before the buffer has ended
                }
                last = free()
            }
            last
        }
        assertThat(freeAtTheEnd).isTrue()
    }
}
