package dev.leasehold.examples.kotlin

import dev.leasehold.DistributedLock
import dev.leasehold.Leasehold
import dev.leasehold.LockNotAcquiredException
import dev.leasehold.kotlin.leaseTime
import dev.leasehold.kotlin.leasedFlow
import dev.leasehold.kotlin.lockOptions
import dev.leasehold.kotlin.onLost
import dev.leasehold.kotlin.onReleaseRequested
import dev.leasehold.kotlin.with
import dev.leasehold.kotlin.withLease
import dev.leasehold.kotlin.withLeaseOrNull
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/** Work that a lock guards; it gets the fencing token. */
fun interface Work {
    /** Does one thing. */
    suspend fun run(what: String, token: Long)
}

/** The examples of `docs/kotlin.md`, each between `// example:` and `// end`. */
class Usage(private val work: Work) {

    suspend fun block(leasehold: Leasehold): String =
        // example: kotlin-block
        leasehold.lock("report").withLease { lease ->
            work.run("print", lease.fencingToken())
            "printed"
        }
    // end

    suspend fun times(leasehold: Leasehold) {
        // example: kotlin-times
        val lock = leasehold.lock("report")
        try {
            lock.withLease(wait = 5.seconds) { lease -> work.run("waited", lease.fencingToken()) }
        } catch (e: LockNotAcquiredException) {
            work.run("busy for 5 s", 0)
        }

        val result = lock.withLeaseOrNull { lease -> work.run("tried once", lease.fencingToken()) }
        if (result == null) {
            work.run("busy", 0)
        }

        withTimeout(30.seconds) { // for the wait and the work together
            lock.withLease { lease -> work.run("within 30 s", lease.fencingToken()) }
        }
        // end
    }

    suspend fun options(leasehold: Leasehold) {
        // example: kotlin-options
        val lock = leasehold.lock("report").with {
            leaseTime(10.seconds)
            label("nightly report")
        }
        lock.withLease(wait = 5.seconds) { lease -> work.run("print", lease.fencingToken()) }
        // end
    }

    fun clientOptions(uri: String): Leasehold {
        // example: kotlin-client-options
        val leasehold = Leasehold.builder()
            .uri(uri)
            .defaults(lockOptions { leaseTime(10.seconds) })
            .build()
        // end
        return leasehold
    }

    // example: kotlin-flow
    fun pages(lock: DistributedLock, source: Flow<String>): Flow<Pair<String, Long>> =
        lock.leasedFlow(wait = 5.seconds) { lease ->
            emitAll(source.map { page -> page to lease.fencingToken() })
        }
    // end

    suspend fun releaseRequested(lock: DistributedLock, pages: List<String>) {
        // example: kotlin-release-requested
        lock.withLease { lease ->
            val importing = launch {
                pages.forEach { page -> work.run(page, lease.fencingToken()) }
            }
            lease.onReleaseRequested(this) {
                work.run("save the position", lease.fencingToken())
                importing.cancel()
            }
        }
        // end
    }

    suspend fun loss(lock: DistributedLock, application: CoroutineScope) {
        // example: kotlin-loss
        lock.withLease { lease ->
            lease.onLost(application) { loss -> work.run("lost: ${loss.cause()}", loss.fencingToken()) }
            work.run("import", lease.fencingToken())
        }
        // end
    }
}

/** Prints a report under a lock of the Redis at the given URI, or at `redis://localhost:6379`. */
fun main(args: Array<String>) {
    Leasehold.connect(args.firstOrNull() ?: "redis://localhost:6379").use { leasehold ->
        val usage = Usage { what, token -> println("$what, token $token") }
        println(runBlocking { usage.block(leasehold) })
    }
}
