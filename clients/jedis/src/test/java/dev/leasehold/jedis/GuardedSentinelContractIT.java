package dev.leasehold.jedis;

import dev.leasehold.tck.GuardedSentinelContract;

class GuardedSentinelContractIT extends GuardedSentinelContract {}
