package dev.leasehold.kotlin

import dev.leasehold.Durability
import dev.leasehold.LockOptions
import java.lang.reflect.Modifier
import java.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Options with the durations of Kotlin. */
class LockOptionsBuilderTest {

    @Test
    fun theyEqualThoseOfTheJavaBuilder() {
        assertThat(lockOptions { }).isEqualTo(LockOptions.defaults())
        assertThat(lockOptions { leaseTime(10.seconds).maxHold(5.minutes).label("nightly report").minHold(2.seconds) })
            .isEqualTo(
                LockOptions.builder()
                    .leaseTime(Duration.ofSeconds(10))
                    .maxHold(Duration.ofMinutes(5))
                    .label("nightly report")
                    .minHold(Duration.ofSeconds(2))
                    .build(),
            )
        assertThat(lockOptions { retainFor(200.milliseconds) }.retainFor()).isEqualTo(Duration.ofMillis(200))
        assertThat(lockOptions { replicas(2, within = 30.milliseconds) }.durability())
            .isEqualTo(Durability.replicas(2, Duration.ofMillis(30)))
        assertThat(lockOptions { onDisk(1, within = 2.seconds) }.durability())
            .isEqualTo(Durability.onDisk(1, Duration.ofSeconds(2)))
    }

    @Test
    fun theirRulesAreThoseOfTheJavaBuilder() {
        assertThatThrownBy { lockOptions { leaseTime(1.milliseconds) } }
            .isInstanceOf(IllegalArgumentException::class.java)
            .hasMessageContaining("too short")
    }

    /** A new option of the core needs its twin here. */
    @Test
    fun eachOptionWithADurationHasATwinForThoseOfKotlin() {
        val options = LockOptions.Builder::class.java.methods
            .filter { Modifier.isPublic(it.modifiers) && Duration::class.java in it.parameterTypes }
            .map { it.name }
        val twins = Class.forName("dev.leasehold.kotlin.LockOptionsBuilderKt").methods
            .map { it.name.substringBefore('-') } // the name of a method with a Duration of Kotlin is mangled
        assertThat(options).contains("leaseTime", "minHold").allSatisfy { assertThat(twins).contains(it) }
    }
}
