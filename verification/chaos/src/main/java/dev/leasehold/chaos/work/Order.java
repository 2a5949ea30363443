package dev.leasehold.chaos.work;

import dev.leasehold.chaos.history.HistoryFile;
import java.nio.file.Path;
import java.util.List;

/**
 * The arguments of a worker process.
 *
 * @param directory the directory of the histories
 * @param process its name
 * @param threads the number of its threads
 * @param seed decides their actions
 * @param resource the port of the resource
 * @param library the library, see {@link Contenders}
 * @param replicas the number of replicas to wait for
 * @param locks the names, whose prefixes give the kinds of the locks
 * @param uris the server, or the servers of a quorum
 * @param rate the maximum of acquisitions a second, of this process; 0 for no limit
 */
public record Order(
        Path directory,
        String process,
        int threads,
        long seed,
        int resource,
        String library,
        int replicas,
        List<String> locks,
        List<String> uris,
        double rate) {

    /** Returns the arguments of the process. */
    public List<String> arguments() {
        return List.of(
                directory.toString(),
                process,
                Integer.toString(threads),
                Long.toString(seed),
                Integer.toString(resource),
                library,
                Integer.toString(replicas),
                String.join(" ", locks),
                String.join(" ", uris),
                Double.toString(rate));
    }

    static Order parse(String[] args) {
        return new Order(
                Path.of(args[0]),
                args[1],
                Integer.parseInt(args[2]),
                Long.parseLong(args[3]),
                Integer.parseInt(args[4]),
                args[5],
                Integer.parseInt(args[6]),
                List.of(args[7].split(" ", -1)),
                List.of(args[8].split(" ", -1)),
                Double.parseDouble(args[9]));
    }

    HistoryFile history() {
        return HistoryFile.create(directory, process);
    }
}
