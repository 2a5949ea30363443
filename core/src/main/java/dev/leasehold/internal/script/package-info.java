/**
 * Lua scripts, their composition, and the bindings that say which request each of them serves. It uses the requests of the
 * store and the port to Redis, and knows nothing of leases. Begin to read with {@link
 * dev.leasehold.internal.script.ScriptStore}.
 */
@NullMarked
package dev.leasehold.internal.script;

import org.jspecify.annotations.NullMarked;
