package dev.leasehold.architecture.planted.everytestruns;

import dev.leasehold.architecture.planted.internal.Plays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@Plays(module = "leasehold-tck")
public abstract class Contract {
    @Test
    void holds() {}

    @Nested
    class Inside {
        @Test
        void holds() {}
    }
}
