package dev.leasehold.tck;

import java.io.IOException;

/** A thread of a server that a test opens before Redis. It ends when one of its sockets is closed. */
final class SocketThread {

    private SocketThread() {}

    /** What it does. */
    interface Task {
        void run() throws IOException;
    }

    static void start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException ignored) {
                        // A socket was closed.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
