package dev.leasehold.kotlin

import dev.leasehold.LockOptions
import dev.leasehold.annotation.Lock
import dev.leasehold.annotation.LockDialect
import dev.leasehold.annotation.LockReader
import dev.leasehold.annotation.LockSetupException
import dev.leasehold.annotation.LockedMethod
import java.util.EnumSet
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The annotation on methods of Kotlin, as Spring, Micronaut and Quarkus read it. */
class LockAnnotationTest {

    open class Desk : Supplier<String> {
        @Lock("order")
        open suspend fun pay(order: String): String = "paid $order"

        @Lock("order")
        open fun later(): Deferred<String> = CompletableDeferred("paid")

        @Lock("order")
        open fun all(): Flow<String> = flowOf("paid")

        @Lock("order")
        override fun get(): String = "paid"
    }

    private fun problems(name: String): List<String> {
        val method = Desk::class.java.declaredMethods.single { it.name == name && !it.isBridge }
        val allResults = LockDialect { EnumSet.allOf(LockedMethod.Result::class.java) }
        val lock = method.getAnnotation(Lock::class.java)
        return try {
            LockReader(method, Desk::class.java, lock, LockOptions.defaults(), allResults).read()
            emptyList()
        } catch (e: LockSetupException) {
            e.problems()
        }
    }

    @Test
    fun aSuspendFunctionIsRefusedWithTheRemedy() {
        assertThat(problems("pay")).singleElement().asString()
            .contains("Desk.pay(", "is a suspend function", "Acquire the lock in its body, with leasehold-kotlin")
    }

    @Test
    fun resultsOfCoroutinesAreRefused() {
        assertThat(problems("later")).singleElement().asString().contains("returns a Deferred, whose end cannot be observed")
        assertThat(problems("all")).singleElement().asString().contains("returns a Flow, whose end cannot be observed")
    }

    @Test
    fun aMethodWithABridgeIsAccepted() {
        assertThat(problems("get")).isEmpty()
    }
}
