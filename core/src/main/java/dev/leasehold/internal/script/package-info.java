/** Typed bindings of the Lua scripts. */
@NullMarked
package dev.leasehold.internal.script;

import org.jspecify.annotations.NullMarked;
