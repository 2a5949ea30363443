package dev.leasehold.kotlin

import dev.leasehold.Leasehold
import dev.leasehold.testkit.EmbeddedRedis
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach

/** Tests with the client that they are about, and another that holds and inspects the same locks. */
abstract class TwoClients(protected val redis: EmbeddedRedis) {
    protected lateinit var client: Leasehold
    protected lateinit var otherClient: Leasehold

    @BeforeEach
    fun connect() {
        client = newClient()
        otherClient = Leasehold.connect(redis.uri())
    }

    protected open fun newClient(): Leasehold = Leasehold.connect(redis.uri())

    @AfterEach
    fun close() {
        client.close()
        otherClient.close()
    }

    protected fun isFree(name: String) = otherClient.lock(name).inspect().isEmpty
}
