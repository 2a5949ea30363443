package dev.leasehold.architecture.planted.everytestruns;

import dev.leasehold.architecture.planted.internal.Plays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@Plays(module = "leasehold-tck")
@ParameterizedClass
@ValueSource(ints = 1)
abstract class Matrix {
    @Test
    void holds() {}
}
