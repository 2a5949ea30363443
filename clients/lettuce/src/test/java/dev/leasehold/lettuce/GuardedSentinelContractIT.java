package dev.leasehold.lettuce;

import dev.leasehold.tck.GuardedSentinelContract;

class GuardedSentinelContractIT extends GuardedSentinelContract {}
