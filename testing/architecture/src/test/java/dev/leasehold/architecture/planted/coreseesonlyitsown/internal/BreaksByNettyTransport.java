package dev.leasehold.architecture.planted.coreseesonlyitsown.internal;

import dev.leasehold.architecture.planted.internal.Plays;
import io.netty.channel.Channel;

@Plays(module = "leasehold-core")
final class BreaksByNettyTransport {
    private Channel channel;
}
