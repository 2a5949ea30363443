/**
 * The parts of the simulated Redis: Lua, keys, commands. Also the class archive shared by the JVMs that tests
 * start.
 */
@NullMarked
package dev.leasehold.testkit.internal;

import org.jspecify.annotations.NullMarked;
