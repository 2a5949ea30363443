package dev.leasehold.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import party.iroiro.luajava.lua51.Lua51;

/**
 * The native library of Lua. Its loader extracts it to a well-known name in the temporary directory, and loads what it finds there if
 * that has the same CRC32, which another user of the machine can forge. So it is made to use a directory that no other user may write to.
 */
final class LuaLibrary {

    private static final String TEMPORARY = "java.io.tmpdir";
    private static final Lock LOADING = new ReentrantLock();
    private static volatile boolean loaded;

    private LuaLibrary() {}

    /** Loads the library, once. */
    static void load() {
        LOADING.lock();
        try {
            if (!loaded) {
                loadFrom(PrivateDirectory.get().toString());
                loaded = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            LOADING.unlock();
        }
    }

    /** The loader has no setting of its own. The JDK has read the property before, and does not read it again. */
    private static void loadFrom(String directory) {
        String before = System.getProperty(TEMPORARY);
        System.setProperty(TEMPORARY, directory);
        try {
            new Lua51().close();
        } finally {
            System.setProperty(TEMPORARY, before);
        }
    }
}
