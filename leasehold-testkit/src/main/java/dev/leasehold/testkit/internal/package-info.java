/** What the simulated Redis is made of: Lua, keys, commands. And what JVMs that tests start have in common. */
@NullMarked
package dev.leasehold.testkit.internal;

import org.jspecify.annotations.NullMarked;
