package dev.leasehold.architecture.reach;

/**
 * Something that a program reaches by a name that no bytecode links.
 *
 * @param owner the type; for a method that a scan finds on an unknown type, empty; for a resource, its path; for a proxy, its
 *     interfaces
 * @param member the field or method ({@code <init>} for a constructor), or empty
 * @param from the class that asks for it
 */
record Access(Kind kind, String owner, String member, String from) {
    enum Kind {
        TYPE,
        FIELD,
        METHOD,
        RESOURCE,
        PROXY
    }

    static Access type(String name, String from) {
        return new Access(Kind.TYPE, name, "", from);
    }

    static Access field(String owner, String name, String from) {
        return new Access(Kind.FIELD, owner, name, from);
    }

    static Access method(String owner, String name, String from) {
        return new Access(Kind.METHOD, owner, name, from);
    }

    static Access resource(String path, String from) {
        return new Access(Kind.RESOURCE, path, "", from);
    }

    static Access proxy(String interfaces, String from) {
        return new Access(Kind.PROXY, interfaces, "", from);
    }
}
