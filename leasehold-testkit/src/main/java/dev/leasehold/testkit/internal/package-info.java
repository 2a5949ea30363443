/** What the simulated Redis is made of: Lua, keys, commands. */
@NullMarked
package dev.leasehold.testkit.internal;

import org.jspecify.annotations.NullMarked;
