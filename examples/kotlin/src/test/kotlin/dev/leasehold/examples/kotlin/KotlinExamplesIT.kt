package dev.leasehold.examples.kotlin

import dev.leasehold.LeaseLostException
import dev.leasehold.Leasehold
import dev.leasehold.kotlin.leaseTime
import dev.leasehold.kotlin.with
import dev.leasehold.testkit.EmbeddedRedis
import dev.leasehold.testkit.WithRedis
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** Every example of `docs/kotlin.md` works on a real server as documented. */
@Tag("long")
@WithRedis
class KotlinExamplesIT(private val redis: EmbeddedRedis) {
    private val done = CopyOnWriteArrayList<String>()
    private val usage = Usage { what, _ -> done.add(what) }
    private lateinit var leasehold: Leasehold

    @BeforeEach
    fun connect() {
        leasehold = Leasehold.connect(redis.uri())
    }

    @AfterEach
    fun close() {
        leasehold.close()
    }

    @Test
    fun aBlockReturnsItsResult() {
        assertThat(runBlocking { usage.block(leasehold) }).isEqualTo("printed")
        assertThat(done).containsExactly("print")
        assertThat(leasehold.lock("report").inspect()).isEmpty()
    }

    @Test
    fun theProgramRuns() {
        main(arrayOf(redis.uri()))
        assertThat(leasehold.lock("report").inspect()).isEmpty()
        assertThat(redis.command("EXISTS", "leasehold:{report}")).isEqualTo(1L)
    }

    @Test
    fun theThreeTimesAreKept() {
        runBlocking { usage.times(leasehold) }
        assertThat(done).containsExactly("waited", "tried once", "within 30 s")
        done.clear()
        leasehold.lock("report").acquire().use { other ->
            runBlocking { usage.runUntilBusy(leasehold) }
            assertThat(other.isHeld).isTrue()
        }
        assertThat(done).containsExactly("busy for 5 s", "busy")
    }

    /** The lock stays taken, so the last of the three waits until it is cancelled. */
    private suspend fun Usage.runUntilBusy(leasehold: Leasehold) {
        coroutineScope {
            val all = async { times(leasehold) }
            while (!done.contains("busy")) {
                yield()
            }
            all.cancel()
        }
    }

    @Test
    fun optionsTakeEffect() {
        val labels = CopyOnWriteArrayList<String?>()
        val shows = Usage { _, _ -> labels.add(leasehold.lock("report").inspect().orElseThrow().label()) }
        runBlocking { shows.options(leasehold) }
        assertThat(labels).containsExactly("nightly report")
        usage.clientOptions(redis.uri()).use { own ->
            own.lock("report").acquire().use { assertThat(it.remaining()).isLessThan(Duration.ofSeconds(11)) }
        }
    }

    @Test
    fun aFlowHoldsTheLock() {
        val pages = runBlocking { usage.pages(leasehold.lock("import"), flowOf("one", "two")).toList() }
        assertThat(pages.map { it.first }).containsExactly("one", "two")
        assertThat(pages.map { it.second }.distinct()).hasSize(1)
        assertThat(leasehold.lock("import").inspect()).isEmpty()
    }

    @Test
    fun aRequestToReleaseEndsTheImport() {
        val lock = leasehold.lock("import").with { leaseTime(2.seconds) }
        val asked = Usage { what, _ ->
            done.add(what)
            lock.requestRelease()
            yield()
        }
        runBlocking { asked.releaseRequested(lock, List(1_000_000) { "page" }) }
        assertThat(done).contains("page", "save the position").hasSizeLessThan(1_000_000)
        assertThat(lock.inspect()).isEmpty()
    }

    @Test
    fun aLossIsReportedAndEndsTheImport() {
        val lock = leasehold.lock("import").with { leaseTime(2.seconds) }
        val lost = Usage { what, _ ->
            done.add(what)
            if (what == "import") {
                lock.forceRelease()
                awaitCancellation()
            }
        }
        val application = CoroutineScope(SupervisorJob())
        assertThatThrownBy { runBlocking { lost.loss(lock, application) } }.isInstanceOf(LeaseLostException::class.java)
        await().until { done.size == 2 }
        assertThat(done).containsExactly("import", "lost: DELETED")
        application.cancel()
    }
}
