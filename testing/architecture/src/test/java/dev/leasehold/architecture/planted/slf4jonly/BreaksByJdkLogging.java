package dev.leasehold.architecture.planted.slf4jonly;

import dev.leasehold.architecture.planted.internal.Plays;
import java.util.logging.Logger;

@Plays(module = "leasehold-lettuce")
final class BreaksByJdkLogging {
    private final Logger log = Logger.getLogger("any");
}
