package dev.leasehold.cli.internal;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.PermitsMismatchException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Converts an exception into one line on standard error and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String message = String.valueOf(e.getMessage());
        // The parser quotes the words that it does not understand. One of them may be a URI with a password.
        boolean quotesUri = message.contains("://") || message.contains("@");
        String shown = quotesUri
                ? "an argument is not understood, and not repeated here as it may have a password: a URI belongs behind --redis"
                : message;
        report(command, shown + " (see '" + name + " --help')", e, !quotesUri && debugWanted(args));
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        report(
                command,
                message(e) + servers(e, command),
                e,
                debugWanted(parsed.originalArgs().toArray(String[]::new)));
        return exitCode(e);
    }

    static boolean debugWanted(String[] args) {
        for (String arg : args) {
            if (arg.equals("--")) {
                return false;
            }
            if (arg.equals("--debug")) {
                return true;
            }
        }
        return false;
    }

    static int exitCode(Throwable e) {
        if (e instanceof CliException cli) {
            return cli.exitCode();
        }
        if (e instanceof IllegalArgumentException
                || e instanceof PermitsMismatchException
                || e instanceof UnsupportedOperationException) {
            return ExitCode.USAGE;
        }
        if (e instanceof LockUnavailableException) {
            return ExitCode.UNAVAILABLE;
        }
        if (e instanceof LockNotAcquiredException) {
            return ExitCode.BUSY;
        }
        if (e instanceof LeaseLostException) {
            return ExitCode.LOST;
        }
        return e instanceof ForeignKeyException ? ExitCode.FOREIGN_KEY : ExitCode.SOFTWARE;
    }

    private static String message(Exception e) {
        String text = e.getMessage();
        if (exitCode(e) == ExitCode.SOFTWARE || text == null) {
            return "unexpected " + e.getClass().getSimpleName() + (text == null ? "" : ": " + text)
                    + " (--debug shows where)";
        }
        return text;
    }

    /** Names the servers that gave no answer, if the message does not. */
    private static String servers(Exception e, CommandLine command) {
        if (!(e instanceof LockUnavailableException)) {
            return "";
        }
        return command.getCommandSpec().mixins().values().stream()
                .map(CommandSpec::userObject)
                .filter(ConnectionOptions.class::isInstance)
                .map(options -> ((ConnectionOptions) options).address())
                .filter(address -> !String.valueOf(e.getMessage()).contains(address))
                .map(address -> " (" + address + ")")
                .findFirst()
                .orElse("");
    }

    private static void report(CommandLine command, String message, Exception e, boolean debug) {
        PrintWriter err = command.getErr();
        err.println("leasehold: " + Text.line(message));
        if (debug) {
            e.printStackTrace(err);
        }
        err.flush();
    }
}
